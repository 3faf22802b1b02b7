import assert from 'node:assert/strict';
import { it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { Browser, lasting } from '../support/browser.ts';
import type { Client } from '../support/client.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { bodiesOf } from './bodies.ts';
import { addressesOf, headersFor } from './paths.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({ git: { hooksEnabled: true } });
const alice = await t.user('alice');
const mallory = await (await t.user('mallory')).token();
const browser = new Browser(t.url);
await browser.signIn('mallory', PASSWORD);
await alice.must('POST', '/user/repos', { name: 'concealed', private: true, auto_init: true });
await alice.must('POST', '/repos/alice/concealed/issues', { title: 'An issue' });

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
  run: ['1'],
  type: ['gitea'],
  version: ['1'],
  artifact_id: ['1'],
  workflow_id: ['ci.yml'],
  secretname: ['X'],
  variablename: ['X'],
};
const largeFile = { oid: ['a'.repeat(64)], size: ['7'], filename: ['a.bin'] };

/** What a route answers for a repository of this name, without the name. */
async function responseFor(client: Client, route: AnyRoute, name: string, sent: Record<string, string>): Promise<string> {
  const place = { owner: ['alice'], template_owner: ['alice'], repo: [name], template_repo: [name] };
  const [address] = addressesOf(route, { ...values, ...people, ...more, ...largeFile, ...place });
  assert.ok(address, `there is no value for a parameter of ${route.path}`);
  const [body] = bodiesOf(route, { id: 1 });
  const service = address.endsWith('/info/refs') ? '?service=git-receive-pack' : '';
  const { status, text, headers } = await client.send(route.method, address + service, {
    json: body,
    headers: { ...headersFor(address), ...sent },
  });
  return `${status} ${headers.get('x-total-count')} ${headers.get('location')} ${lasting(text)}`.replaceAll(name, 'NAME');
}

/** What a browser sends with a form of a page of the server. */
const session = {
  cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  origin: new URL(t.url).origin,
  'sec-fetch-site': 'same-origin',
};
const isPage = ({ id }: AnyRoute) => id.startsWith('page ');

for (const [who, client, headers, isAsked] of [
  ['nobody', t.anonymous, {}, () => true],
  ['a stranger', mallory, {}, () => true],
  ['a stranger with a session', t.anonymous, session, isPage],
] as const) {
  it(`no route reveals to ${who} that there is a hidden repository`, async () => {
    const named = allRoutes.filter((route) => {
      const { path } = route;
      return isAsked(route) && /:owner\/:repo|:template_owner/.test(path) && !path.startsWith('/admin/');
    });
    const differing: string[] = [];
    for (const route of named) {
      const [hidden, missing] = [
        await responseFor(client, route, 'concealed', headers),
        await responseFor(client, route, 'elsewhere', headers),
      ];
      if (hidden !== missing) differing.push(`${route.method} ${route.path}: ${hidden.slice(0, 150)} | ${missing.slice(0, 150)}`);
    }
    assert.deepEqual(differing, []);
    assert.ok(named.length > 100);
  });
}
