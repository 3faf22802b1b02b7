import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import type { Client, TestResponse } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { bodiesOf } from './bodies.ts';
import { addressesOf } from './paths.ts';
import { differences, readRows } from './rows.ts';
import { hiddenThings, INTERNAL, SECRET } from './world.ts';

/** Every route of the server, those to come among them: whoever adds one need not think of these tests. */

const t = await testServer({ git: { hooksEnabled: true } });
const hidden = await hiddenThings(t);
const { alice } = hidden;
const password = await t.user('mallory');
const mallory = await password.token();
await mallory.must('POST', '/user/repos', { name: 'own', auto_init: true });
await mallory.must('POST', '/repos/mallory/own/issues', { title: 'An issue' });
await mallory.must('POST', '/repos/mallory/own/issues', { title: 'Another issue' });
await mallory.must('POST', '/orgs', { username: 'mallorys' });
await alice.must('POST', '/orgs', { username: 'open-org' });
const limited = await alice.token(['all', 'public-only']);
const callers: [string, Client][] = [
  ['nobody', t.anonymous],
  ['a stranger', mallory],
  ['a token for public things', limited],
];
const reading = allRoutes.filter(({ method, path }) => method === 'GET' && !path.startsWith('//user/'));

const [owner = '', repo = ''] = hidden.repository.split('/');
const common = {
  ...hidden.values,
  index: ['1', '2'],
  base: ['main'],
  position: ['1'],
  collaborator: ['helper'],
  user: ['helper'],
  target: ['helper'],
};
const places: Record<string, readonly string[]>[] = [
  {
    ...common,
    owner: [owner],
    template_owner: [owner],
    repo: [repo],
    template_repo: [repo],
    org: [hidden.organization],
    username: ['alice'],
  },
  { ...common, owner: [hidden.organization], repo: [repo], org: [hidden.organization], username: [`${SECRET}-user`] },
  { ...common, owner: [`${SECRET}-user`], repo: [repo], username: [`${SECRET}-user`] },
  { ...common, owner: ['mallory'], repo: ['own'], org: ['mallorys'], username: ['helper'] },
];

const writing = allRoutes.filter(({ method, path }) => method !== 'GET' && !path.startsWith('//'));
/** Without those that end the place itself, and what is removed at the end. */
const lasting = writing
  .filter(({ path, method }) => !/:org$|:repo$|transfer\/|rename/.test(path) || method === 'PUT')
  .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE') || b.path.length - a.path.length);
const values = {
  owner,
  repo,
  new_owner: hidden.organization,
  organization: hidden.organization,
  assignee: 'mallory',
  assignees: ['mallory'],
  reviewers: ['mallory'],
  head: 'main',
  content: 'heart',
  color: '#123456',
  url: 'https://example.com',
  content_type: 'json',
  type: 'gitea',
  email: 'word@example.com',
  emails: ['word@example.com'],
};

/** One value of each parameter: what is hidden itself is refused before anything in it is looked up. */
function firsts(place: Record<string, readonly string[]>): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(place).map(([name, given]) => [name, given.slice(0, 1)]));
}

/** Sends each of the routes what it takes, at a place, with all the ids that there are; returns those that took it. */
async function writeEverywhere(client: Client, routes: readonly AnyRoute[], place: Record<string, readonly string[]>): Promise<string[]> {
  const taken: string[] = [];
  const all = (place.id ?? []).map(Number);
  for (const route of routes) {
    for (const [index, address] of addressesOf(route, place).entries()) {
      // An id in the path stands beside one other in the body.
      const ids = route.path.includes(':id') ? all.slice(index % all.length).slice(0, 1) : all;
      for (const id of ids) {
        const bodies = bodiesOf(route, { ...values, id, labels: [id] });
        const others = bodies.filter((body) => JSON.stringify(body)?.includes(`${id}`));
        for (const body of all.length === 1 ? bodies.slice(0, 1) : id === all[0] ? bodies : others) {
          const { status } = await client.send(route.method, address, { json: body });
          if (status < 300) taken.push(`${status} ${route.method} ${address} ${JSON.stringify(body)}`);
          assert.ok(status < 500, `${status} ${route.method} ${address}`);
        }
      }
    }
  }
  return taken;
}

/** Tells the rows about these repositories, issues and owners, by their ids, from others. */
function rowsAbout(ids: { repositories: readonly number[]; issues: readonly number[]; owners: readonly number[] }) {
  const has = (list: readonly number[], ...columns: unknown[]) => columns.some((id) => list.includes(Number(id)));
  return (key: string, row: Record<string, unknown>) =>
    (key.startsWith('users ') && has(ids.owners, row.id)) ||
    (key.startsWith('repositories ') && has(ids.repositories, row.id)) ||
    has(ids.repositories, row.repository_id, row.base_repository_id) ||
    has(ids.issues, row.issue_id) ||
    has(ids.owners, row.user_id, row.owner_id, row.organization_id, row.author_id);
}

async function idsOf(client: Client, repositories: readonly string[], owners: readonly string[]) {
  const ids = { repositories: [] as number[], issues: [] as number[], owners: [] as number[] };
  for (const name of repositories) {
    ids.repositories.push((await client.must('GET', `/repos/${name}`)).id);
    for (const { id } of await client.must('GET', `/repos/${name}/issues?state=all`)) ids.issues.push(id);
  }
  for (const name of owners) ids.owners.push((await client.must('GET', `/users/${name}`)).id);
  return ids;
}

/** What is known to whoever asked is no news in the answer. */
function news(address: string, { text, headers }: TestResponse): string {
  const asked = decodeURIComponent(address)
    .split(/[/?&=]/)
    .filter((part) => part.includes(SECRET) || part.includes(INTERNAL));
  asked.push(...asked.map((part) => part.replace(/\.(zip|tar\.gz)$/, '')));
  let said = `${text}\n${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`;
  for (const word of asked.toSorted((a, b) => b.length - a.length))
    said = said.replaceAll(word, '').replaceAll(encodeURIComponent(word), '');
  return said;
}

/** The queries by which a list could be made to tell more. */
function queriesOf({ query }: AnyRoute): string[] {
  const named = Object.entries(query ?? {}).flatMap(([name, { type }]) =>
    type === 'boolean'
      ? [`${name}=true`]
      : type === 'integer'
        ? [`${name}=2`]
        : [SECRET, 'alice', hidden.organization].map((word) => `${name}=${word}`),
  );
  return ['', ...named.map((part) => `?${part}`)];
}

/** What the routes tell somebody, at a place, that they should not; all ids are tried where `isOpen`. What was asked is not asked again. */
async function toldAt(
  client: Client,
  place: Record<string, readonly string[]>,
  isOpen: boolean,
  { secrets = new RegExp(SECRET), asked = new Set<string>() } = {},
): Promise<string[]> {
  const told: string[] = [];
  for (const route of reading) {
    // What is hidden itself is refused before anything in it is looked up.
    const addresses = addressesOf(route, place).slice(0, isOpen ? undefined : 2);
    for (const [index, address] of addresses.entries()) {
      const queries = index > 0 || address.includes('?') ? [''] : queriesOf(route);
      for (const query of queries) {
        // Routes that name no place are asked at the first one.
        if (asked.has(address + query)) continue;
        asked.add(address + query);
        const response = await client.get(address + query);
        const said = news(address + query, response);
        const at = said.search(secrets);
        if (at >= 0 || response.status >= 500)
          told.push(`${response.status} ${address}${query}: ${said.slice(Math.max(0, at - 200), at + 50)}`);
      }
    }
  }
  return told;
}

it('every route is tried: there is a value for each parameter', () => {
  const known = new Set([...Object.keys(common), 'owner', 'repo', 'template_owner', 'template_repo', 'org', 'username']);
  // Of what everybody may read, and what is the caller's own.
  for (const name of ['name', 'file', 'task', 'token', 'keys', 'kind', 'ball', 'diffType']) known.add(name);
  const names = allRoutes.flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
  );
});

describe('no route that reads', () => {
  it('tells others of drafts, or where a change comes from', async () => {
    const open = { ...common, owner: ['alice'], repo: ['open'], org: ['open-org'] };
    const secrets = new RegExp(`${SECRET}|${INTERNAL}`);
    for (const client of [t.anonymous, mallory]) assert.deepEqual(await toldAt(client, open, true, { secrets }), []);
  });

  it('tells others, or a token for public things, what is open to the members of a hidden organization', async () => {
    const organization = `${INTERNAL}-org`;
    const inside = { ...common, owner: [organization], repo: [`${INTERNAL}-fork`], org: [organization], username: ['alice'] };
    const open = { ...common, owner: ['alice'], repo: ['open'], org: ['open-org'], username: ['alice'] };
    for (const [, client] of callers) {
      for (const place of [inside, open]) assert.deepEqual(await toldAt(client, place, false, { secrets: new RegExp(INTERNAL) }), []);
    }
  });
});

describe('no route that writes', () => {
  it('changes what is hidden from the caller', async () => {
    await t.settled();
    const before = await readRows(t);
    const there = writing.filter(({ path }) => /:owner|:template_owner|:org\b/.test(path));
    for (const [, client] of callers) {
      for (const place of places.slice(0, 3)) assert.deepEqual(await writeEverywhere(client, there, firsts(place)), []);
    }
    await t.settled();
    assert.deepEqual(differences(before, await readRows(t)), []);
  });

  it('changes at one place what belongs to another', async () => {
    const isOwn = rowsAbout(await idsOf(mallory, ['mallory/own'], ['mallory', 'mallorys']));
    const before = await readRows(t);
    // Nothing of the stranger's is named like what is hidden: the next tests look for that.
    const taken = await writeEverywhere(mallory, lasting, { ...places.at(-1), '*': ['a-word', 'main'] });
    // Otherwise nothing of it would have been tried.
    assert.ok(taken.length > 100, taken.join('\n'));
    await t.settled();
    const changed = differences(before, await readRows(t)).filter(({ was }) => was !== undefined);
    assert.deepEqual(
      changed.filter(({ key, was = '{}' }) => !/^(topics|\w+_counts) /.test(key) && !isOwn(key, JSON.parse(was))),
      [],
    );
  });

  it('takes what is hidden from a token for public things as a part of what is public', async () => {
    const isHidden = rowsAbout(await idsOf(alice, [hidden.repository, hidden.organizationRepository], [hidden.organization]));
    const before = await readRows(t);
    const taken = await writeEverywhere(limited, lasting, {
      ...common,
      owner: ['alice'],
      repo: ['open'],
      org: ['open-org'],
      username: ['alice'],
      '*': ['main'],
    });
    assert.ok(taken.length > 50, taken.join('\n'));
    await t.settled();
    const changed = differences(before, await readRows(t));
    assert.deepEqual(
      changed.filter(({ key, was, is }) => isHidden(key, JSON.parse(is ?? was ?? '{}'))),
      [],
    );
  });
});

// Of the database all this has been asked above.
const skip = t.context.database.dialect === 'postgres' && 'on SQLite alone';
describe('no route that reads, after all that,', { skip }, () => {
  for (const [who, client] of callers) {
    it(`tells ${who} of what is hidden`, async () => {
      const asked = new Set<string>();
      for (const [index, place] of places.entries())
        assert.deepEqual(await toldAt(client, place, client === mallory && index === places.length - 1, { asked }), []);
    });
  }
});
