import assert from 'node:assert/strict';
import { it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { lasting } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { bodiesOf } from './bodies.ts';
import { addressesOf, headersFor } from './paths.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({ git: { hooksEnabled: true } });
const alice = await t.user('alice');
const mallory = await (await t.user('mallory')).token();
await alice.must('POST', '/user/repos', { name: 'hidden', private: true, auto_init: true });
await alice.must('POST', '/repos/alice/hidden/issues', { title: 'An issue' });

const values = {
  id: ['1'],
  index: ['1'],
  '*': ['main'],
  sha: ['main'],
  range: ['abcdef0'],
  ref: ['main'],
  filepath: ['README.md'],
  topic: ['word'],
};
const people = Object.fromEntries(
  ['collaborator', 'user', 'target', 'team', 'pageName', 'tag', 'name', 'base'].map((name) => [name, ['mallory']]),
);
const more = {
  attachment_id: ['1'],
  uuid: ['00000000-0000-0000-0000-000000000000'],
  position: ['1'],
  runner_id: ['1'],
  job_id: ['1'],
  artifact_id: ['1'],
  run: ['1'],
  workflow_id: ['ci.yml'],
  secretname: ['X'],
  variablename: ['X'],
};
const largeFile = { oid: ['a'.repeat(64)], size: ['7'], filename: ['a.bin'] };

/** What a route answers for a repository of this name, without the name. */
async function responseFor(client: Client, route: AnyRoute, name: string): Promise<string> {
  const place = { owner: ['alice'], template_owner: ['alice'], repo: [name], template_repo: [name] };
  const [address] = addressesOf(route, { ...values, ...people, ...more, ...largeFile, ...place });
  assert.ok(address, `there is no value for a parameter of ${route.path}`);
  const [body] = bodiesOf(route, { id: 1 });
  const service = address.endsWith('/info/refs') ? '?service=git-receive-pack' : '';
  const { status, text, headers } = await client.send(route.method, address + service, { json: body, headers: headersFor(address) });
  return `${status} ${headers.get('x-total-count')} ${headers.get('location')} ${lasting(text)}`.replaceAll(name, 'NAME');
}

for (const [who, client] of [
  ['nobody', t.anonymous],
  ['a stranger', mallory],
] as const) {
  it(`no route reveals to ${who} that there is a hidden repository`, async () => {
    const named = allRoutes.filter(({ path }) => /:owner\/:repo|:template_owner/.test(path) && !path.startsWith('/admin/'));
    const differing: string[] = [];
    for (const route of named) {
      const [hidden, missing] = [await responseFor(client, route, 'hidden'), await responseFor(client, route, 'absent')];
      if (hidden !== missing) differing.push(`${route.method} ${route.path}: ${hidden.slice(0, 150)} | ${missing.slice(0, 150)}`);
    }
    assert.deepEqual(differing, []);
    assert.ok(named.length > 100);
  });
}
