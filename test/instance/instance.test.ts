import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { testServer } from '../support/server.ts';

const t = await testServer();
const federating = await testServer({ federation: { enabled: true } });

describe('the description of the instance', () => {
  it('reports to everybody that it is healthy', async () => {
    const wrong = { headers: { authorization: 'token wrong' } };
    assert.equal((await t.anonymous.get('//api/healthz', wrong)).status, 200);
  });

  it('returns its version in both forms', async () => {
    assert.deepEqual((await t.anonymous.get('/version')).json, { version: '1.26.3', Version: '1.26.3' });
  });

  it('returns the limits of the API', async () => {
    assert.equal((await t.anonymous.get('/settings/api')).json.max_response_items, 50);
    assert.equal((await t.anonymous.get('/settings/attachment')).json.max_size, 100);
  });

  it('has node information only where it federates', async () => {
    assert.equal((await t.anonymous.get('/nodeinfo')).status, 404);
    const { json } = await federating.anonymous.get('/nodeinfo');
    assert.equal(json.version, '2.1');
    assert.equal(json.usage.users.total, 1);
  });
});

describe('templates', () => {
  it('lists and shows them', async () => {
    assert.ok((await t.anonymous.get('/gitignore/templates')).json.includes('Go'));
    assert.equal((await t.anonymous.must('GET', '/licenses'))[0].key, '0BSD');
    assert.equal((await t.anonymous.get('/licenses/MIT')).json.url, `${t.url}api/v1/licenses/MIT`);
    assert.deepEqual((await t.anonymous.get('/label/templates')).json, ['Advanced', 'Default']);
    assert.deepEqual(
      (await t.anonymous.get('/object_formats')).json.map(({ name }: { name: string }) => name),
      ['sha1', 'sha256'],
    );
  });

  it('knows no others, nor these in another case', async () => {
    for (const path of ['/gitignore/templates/go', '/licenses/mit', '/label/templates/Nothing', '/licenses/__proto__']) {
      const response = await t.anonymous.get(path);
      assert.deepEqual([response.status, response.json.message], [404, 'not found']);
    }
  });
});

describe('the page of the API description', () => {
  it('is linked from the API', async () => {
    const response = await t.anonymous.get('/swagger');
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/api/swagger']);
    assert.match((await t.anonymous.get('//api/swagger')).text, /swagger-ui-bundle\.js/);
    assert.equal((await t.anonymous.get('//api/swagger/swagger-ui.css')).status, 200);
    assert.equal((await t.anonymous.get('//api/swagger/package.json')).status, 404);
  });

  it('sends what people try in the page to where the page came from', async () => {
    const { text: script } = await t.anonymous.get('//api/swagger/start.js');
    const json = { schemes: ['https', 'http'], basePath: '/api/v1' };
    const shown = new Promise((resolve) => {
      const location = { protocol: 'http:', host: 'localhost:3000' };
      runInNewContext(script, { location, fetch: async () => ({ json: async () => json }), SwaggerUIBundle: resolve });
    });
    const { spec } = (await shown) as { spec: unknown };
    // The script made it among other built-in objects.
    assert.deepEqual(JSON.parse(JSON.stringify(spec)), { schemes: ['http'], basePath: '/api/v1', host: 'localhost:3000' });
  });
});
