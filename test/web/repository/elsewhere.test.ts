import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');

async function repository(name: string, fields: object) {
  await alice.must('POST', '/user/repos', { name, auto_init: true });
  await alice.must('PATCH', `/repos/alice/${name}`, fields);
  return async (path: string, client = bob) => {
    const { status, headers } = await client.get(`//alice/${name}/${path}`);
    return [status, headers.get('location')];
  };
}

describe('a wiki on another server', () => {
  it('is where the pages of the wiki lead', async () => {
    const open = await repository('wiki', { has_wiki: true, external_wiki: { external_wiki_url: 'https://wiki.example/home' } });
    for (const path of ['wiki', 'wiki/Home', 'wiki?action=_pages'])
      assert.deepEqual(await open(path), [303, 'https://wiki.example/home'], path);
    assert.match((await bob.get('//alice/wiki')).text, /href="[^"]*\/alice\/wiki\/wiki"/);
    await alice.must('PATCH', '/repos/alice/wiki', { private: true });
    assert.equal((await open('wiki'))[0], 404);
    await alice.must('PATCH', '/repos/alice/wiki', { private: false, has_wiki: false });
    assert.equal((await open('wiki'))[0], 404);
  });
});

describe('issues on another server', () => {
  const tracker = {
    external_tracker_url: 'https://bugs.example/list',
    external_tracker_format: 'https://bugs.example/{user}/{repo}/{index}',
  };

  it('are where the pages of issues lead', async () => {
    const open = await repository('bugs', { has_issues: true, external_tracker: { ...tracker, external_tracker_style: 'numeric' } });
    assert.deepEqual(await open('issues'), [303, 'https://bugs.example/list']);
    assert.deepEqual(await open('issues/12'), [303, 'https://bugs.example/alice/bugs/12']);
    assert.match((await bob.get('//alice/bugs')).text, /href="[^"]*\/alice\/bugs\/issues"/);
    await alice.must('PATCH', '/repos/alice/bugs', { has_issues: true, internal_tracker: {} });
    assert.equal((await open('issues'))[0], 200);
  });

  it('are not found by a number where they have none', async () => {
    const open = await repository('named', { has_issues: true, external_tracker: { ...tracker, external_tracker_style: 'alphanumeric' } });
    assert.deepEqual(await open('issues'), [303, 'https://bugs.example/list']);
    assert.equal((await open('issues/12'))[0], 404);
  });
});
