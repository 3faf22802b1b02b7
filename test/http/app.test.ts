import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();

describe('what no route serves', () => {
  it('answers 404 in plain text for an address that is nothing', async () => {
    const answer = await t.anonymous.get('/nothing');
    assert.equal(answer.status, 404);
    assert.equal(answer.text, '404 page not found\n');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  });

  it('answers 405 without a body for a known address asked in another way', async () => {
    const answer = await t.anonymous.send('DELETE', '/version');
    assert.deepEqual([answer.status, answer.text], [405, '']);
  });

  it('answers every preflight with the default rules', async () => {
    const answer = await t.anonymous.send('OPTIONS', '/version');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-methods'), 'POST, GET, OPTIONS, PUT, DELETE');
  });

  it('refuses a path that cannot be decoded', async () => {
    assert.equal((await t.anonymous.get('/users/%zz')).status, 400);
  });
});

describe('signing in', () => {
  it('refuses a wrong password on every route', async () => {
    const wrong = Buffer.from('admin:wrong').toString('base64');
    const answer = await t.anonymous.get('/version', { headers: { authorization: `Basic ${wrong}` } });
    assert.equal(answer.status, 401);
    assert.equal(answer.json.message, 'invalid username, password or token');
  });

  it('refuses sudo to who is no administrator', async () => {
    const alice = await t.user('alice');
    const answer = await alice.get('/version?sudo=admin');
    assert.deepEqual([answer.status, answer.json], [403, { message: 'Only administrators allowed to sudo.' }]);
  });

  it('warns of tokens in the query and does not accept them', async () => {
    const answer = await t.anonymous.get('/version?token=x');
    assert.equal(answer.status, 200);
    assert.ok(answer.headers.get('x-service-warning'));
  });
});
