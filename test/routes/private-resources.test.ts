// On SQLite alone: what routes ask of the database, their own tests ask of both; here it is what they tell to whom.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { Reader } from './reading.ts';
import { differences, readRows } from './rows.ts';
import { hiddenThings, INTERNAL, SECRET } from './world.ts';
import { firsts, idsOf, lasting, rowsAbout, writeEverywhere, writing } from './writing.ts';

/** Every route of the server, new ones too: nobody has to add them here. */

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

const [owner = '', repo = ''] = hidden.repository.split('/');
const common = {
  ...hidden.values,
  index: ['1', '2'],
  base: ['main'],
  position: ['1'],
  collaborator: ['helper'],
  user: ['helper'],
  target: ['helper'],
  type: ['generic'],
  version: ['1.0'],
  repo_name: [repo],
  range: hidden.values.sha ?? [],
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

const words = [SECRET, 'alice', hidden.organization];

it('every route is tried: there is a value for each parameter', () => {
  const known = new Set([...Object.keys(common), 'owner', 'repo', 'template_owner', 'template_repo', 'org', 'username']);
  // Of what everybody may read, and what is the caller's own.
  for (const name of ['name', 'file', 'task', 'token', 'keys', 'kind', 'ball', 'page', 'diffType', 'feedType', 'hash', 'period'])
    known.add(name);
  const names = allRoutes.flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
  );
});

describe('no route that reads', () => {
  const organization = `${INTERNAL}-org`;
  const inside = { ...common, owner: [organization], repo: [`${INTERNAL}-fork`], org: [organization], username: ['alice'] };
  const open = { ...common, owner: ['alice'], repo: ['open'], org: ['open-org'], username: ['alice'] };

  for (const [who, client] of callers.slice(0, 2)) {
    it(`tells ${who} of drafts, where a change comes from, or what is open to the members of a hidden organization`, async () => {
      const reader = new Reader(client, { secrets: new RegExp(`${SECRET}|${INTERNAL}`), words });
      assert.deepEqual([await reader.leaksAt(open, true), await reader.leaksAt(inside, false)], [[], []]);
    });
  }

  it('tells a token for public things what is open to the members of a hidden organization', async () => {
    const reader = new Reader(limited, { secrets: new RegExp(INTERNAL), words });
    assert.deepEqual([await reader.leaksAt(inside, false), await reader.leaksAt(open, false)], [[], []]);
  });
});

describe('no route that writes', () => {
  it('changes what is hidden from the caller', async () => {
    await t.settled();
    const before = await readRows(t);
    const there = writing.filter(({ path }) => /:owner|:template_owner|:org\b/.test(path));
    for (const [, client] of callers) {
      for (const place of places.slice(0, 3)) assert.deepEqual(await writeEverywhere(client, there, firsts(place), values), []);
    }
    await t.settled();
    assert.deepEqual(differences(before, await readRows(t)), []);
  });

  it('changes in one repository what belongs to another', async () => {
    const isOwn = rowsAbout(await idsOf(mallory, ['mallory/own'], ['mallory', 'mallorys']));
    const before = await readRows(t);
    // Nothing of the stranger's is named like what is hidden: the next tests look for that.
    const taken = await writeEverywhere(mallory, lasting, { ...places.at(-1), '*': ['a-word', 'main'] }, values);
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
    const open = { ...common, owner: ['alice'], repo: ['open'], org: ['open-org'], username: ['alice'], '*': ['main'] };
    const taken = await writeEverywhere(limited, lasting, open, values);
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
    it(`shows ${who} what is hidden`, async () => {
      const reader = new Reader(client, { secrets: new RegExp(SECRET), words });
      for (const [index, place] of places.entries())
        assert.deepEqual(await reader.leaksAt(place, client === mallory && index === places.length - 1), []);
    });
  }
});
