import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/repos/alice/demo/issues', { title: 'One' });
const demo = '/repos/alice/demo';

describe('a body', () => {
  it('is refused with the error message of the API when its type is unknown', async () => {
    const { status, json } = await alice.send('POST', `${demo}/issues`, { raw: 'x', headers: { 'content-type': 'x' } });
    assert.deepEqual([status, json.message], [422, '[]: Unsupported Content-Type']);
  });

  it('may be a form, with truth values and numbers that can be read, and the query for the rest', async () => {
    const form = (raw: string, query = '') =>
      alice.send('POST', `${demo}/labels${query}`, { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    const made = await form('name=one&exclusive=on', '?name=two&color=%2300aabb');
    assert.deepEqual([made.status, made.json.name, made.json.exclusive, made.json.color], [201, 'one', true, '00aabb']);
    const unread = await form('name=two&color=%2300aabb&exclusive=maybe');
    assert.deepEqual([unread.status, unread.json.message], [422, '[exclusive]: Value could not be parsed as boolean']);
    const issue = await alice.send('POST', `${demo}/issues`, {
      raw: 'title=Three&milestone=first',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.deepEqual([issue.status, issue.json.message], [422, '[milestone]: Value could not be parsed as integer']);
    const bodiless = await alice.send('PATCH', `${demo}/labels/${made.json.id}?name=three`);
    assert.deepEqual([bodiless.status, bodiless.json.name], [200, 'three']);
  });

  it('is the JSON value that it begins with', async () => {
    const json = (raw: string) => alice.send('POST', `${demo}/labels`, { raw, headers: { 'content-type': 'application/json' } });
    for (const rest of ['', '\n', ' x', '{', ']', ',', '{"name":"other"}', '\u00a0']) {
      const { status, json: made } = await json(`{"name":"} ]\\"\\\\","color":"#00aabb"}${rest}`);
      assert.deepEqual([status, made.name], [201, '} ]"\\'], rest);
    }
    for (const raw of ['\ufeff{"name":"a","color":"#00aabb"}', '\v{}', '{"name":"a"', '{"name":"a} ', '[{}] x', '{"name":"a",} {}']) {
      const { status, json: refused } = await json(raw);
      assert.deepEqual([status, refused.message.slice(0, 4)], [422, '[]: '], raw);
    }
  });

  it('may be a form with the names that the fields have in forms of Gitea', async () => {
    const form = (path: string, raw: string) =>
      alice.send('POST', path, { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
    assert.equal((await form('/orgs', 'user_name=crew')).json.username, 'crew');
    assert.equal((await form(`${demo}/issues/1/reactions`, 'reaction=heart&content=eyes')).json.content, 'heart');
    const application = await form(
      '/user/applications/oauth2',
      'name=app&redirect_ur_is=http://localhost/&redirect_ur_is=http://localhost/b',
    );
    assert.deepEqual(application.json.redirect_uris, ['http://localhost/', 'http://localhost/b']);
  });

  it('names moments that there are', async () => {
    for (const due_on of ['', '2030-02-30T00:00:00Z', '2030-01-01T24:00:00Z', '2030-01-01T00:00:60Z', '2030-01-01t00:00:00z']) {
      assert.equal((await alice.post(`${demo}/milestones`, { title: 'Due', due_on })).status, 422, due_on);
    }
    assert.equal((await alice.post(`${demo}/milestones`, { title: 'Due', due_on: '2028-02-29T23:59:59.5+02:00' })).status, 201);
  });
});

describe('what a body says', () => {
  it('is a million characters at most, where no other bound is said', async () => {
    const long = 'x'.repeat(1_000_001);
    for (const [path, body, field] of [
      [`${demo}/issues`, { title: 'Two', body: long }, 'Body'],
      [`${demo}/issues/1/comments`, { body: long }, 'Body'],
      [`${demo}/milestones`, { title: 'One', description: long }, 'Description'],
      [`${demo}/milestones`, { title: long.slice(0, 601) }, 'Title'],
      [`${demo}/issues`, { title: 'Two', assignees: [long] }, 'Assignees'],
    ] as const) {
      const { status, json } = await alice.post(path, body);
      assert.deepEqual([status, json.message], [422, `[${field}]: MaxSize`], path);
    }
    assert.equal((await alice.must('GET', `${demo}/issues?state=all`)).length, 1);
    // Characters, not the units that they take.
    assert.equal((await alice.post(`${demo}/issues/1/comments`, { body: '\u{1f600}'.repeat(600_000) })).status, 201);
  });

  it('has lists of a length that the database takes', async () => {
    const ids = (length: number) => Array.from({ length }, (_, index) => index + 1);
    const refused = await alice.post(`${demo}/issues`, { title: 'Two', labels: ids(20_001) });
    assert.deepEqual([refused.status, refused.json.message], [422, '[Labels]: MaxSize']);
    assert.equal((await alice.post(`${demo}/issues`, { title: 'Two', labels: ids(20_000) })).status, 201);
  });

  it('has maps, forms and objects of a size that is read at once', async () => {
    await alice.must('POST', '/orgs', { username: 'acme' });
    const units = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`unit-${index}`, 'read']));
    const map = await alice.post('/orgs/acme/teams', { name: 'one', units_map: units });
    assert.deepEqual([map.status, map.json.message], [422, '[UnitsMap]: MaxSize']);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await alice.send('POST', `${demo}/issues`, { raw: `title=x${'&a=1'.repeat(10_001)}`, headers });
    assert.deepEqual([form.status, form.json.message], [422, '[]: more than 10000 fields']);
    const parts = await alice.post(`${demo}/issues`, { title: 'x', nothing: Array.from({ length: 100_001 }, () => 0) });
    assert.deepEqual([parts.status, parts.json.message], [422, '[]: more than 100000 objects, lists and members']);
  });

  it('is nested no deeper than it has a meaning', async () => {
    for (const nested of [`{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, '['.repeat(1_000_000)]) {
      assert.equal((await alice.send('POST', `${demo}/issues`, { raw: nested })).status, 422);
    }
  });
});
