import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { CALLERS, CATEGORIES, KIND, listed, rows, VISIBILITY, WITH_PROOF } from './credential-table.ts';
import { differences, readRows } from './rows.ts';

const t = await testServer({ git: { hooksEnabled: true } });
const callers = new Map<string, Client>([
  ['anonymous', t.anonymous],
  ['admin', t.admin],
]);
for (const name of ['owner', 'stranger', 'reader', 'writer', 'manager', 'member', 'recipient']) callers.set(name, await t.user(name));
await t.user('target');
const owner = caller('owner');
const ids = await prepare();
const tokens = new Map<string, Client>();

function caller(name: string): Client {
  const found = callers.get(name);
  assert.ok(found, name);
  return found;
}

function sshKey(): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from('ssh-ed25519')), part(Buffer.from(x, 'base64url'))]).toString('base64')}`;
}

function hook() {
  return { type: 'gitea', config: { url: 'https://example.com/', content_type: 'json' } };
}

/** The things that the routes are about, and their ids by the part of the path before `:id`. */
async function prepare(): Promise<Record<string, string>> {
  for (const [username, visibility] of [
    ['acme', 'public'],
    ['vault', 'private'],
  ]) {
    await owner.must('POST', '/orgs', { username, visibility });
    for (const name of ['closed', 'leaving', 'staying', 'pattern'])
      await owner.must('POST', `/orgs/${username}/repos`, { name, private: true, auto_init: true, template: name === 'pattern' });
  }
  for (const repo of ['closed', 'leaving', 'staying', 'pattern'])
    for (const [name, permission] of [
      ['reader', 'read'],
      ['writer', 'write'],
      ['manager', 'admin'],
    ])
      await owner.must('PUT', `/repos/acme/${repo}/collaborators/${name}`, { permission });
  for (const repo of ['leaving', 'staying']) await owner.must('POST', `/repos/acme/${repo}/transfer`, { new_owner: 'recipient' });
  const team = await owner.must('POST', '/orgs/vault/teams', { name: 'crew', permission: 'write', units: ['repo.code'] });
  await owner.must('PUT', `/teams/${team.id}/members/member`);
  await owner.must('PUT', `/teams/${team.id}/repos/vault/closed`);
  await owner.must('POST', '/orgs/acme/teams', { name: 'crew', permission: 'write', units: ['repo.code'] });
  await owner.must('POST', '/user/emails', { emails: ['more@example.com'] });
  for (const place of ['/repos/acme/closed', '/orgs/vault', '/user']) {
    await owner.must('PUT', `${place}/actions/secrets/KEPT`, { data: 'kept' });
    await owner.must('POST', `${place}/actions/variables/KEPT`, { value: 'kept' });
  }
  await owner.must('POST', '/users/owner/tokens', { name: 'old', scopes: ['read:user'] });
  const made = async (client: Client, path: string, body: object) => String((await client.must('POST', path, body)).id);
  return {
    '/teams/': String(team.id),
    '/user/applications/oauth2/': await made(owner, '/user/applications/oauth2', { name: 'app', redirect_uris: ['https://example.com/'] }),
    '/user/keys/': await made(owner, '/user/keys', { title: 'key', key: sshKey() }),
    '/user/hooks/': await made(owner, '/user/hooks', hook()),
    '/admin/hooks/': await made(t.admin, '/admin/hooks', hook()),
    '/admin/users/:username/keys/': await made(t.admin, '/admin/users/target/keys', { title: 'key', key: sshKey() }),
    '/repos/:owner/:repo/keys/': await made(owner, '/repos/acme/closed/keys', { title: 'key', key: sshKey() }),
    '/repos/:owner/:repo/hooks/': await made(owner, '/repos/acme/closed/hooks', hook()),
    '/repos/:owner/:repo/hooks/git/': 'pre-receive',
    '/orgs/:org/hooks/': await made(owner, '/orgs/vault/hooks', hook()),
    '/repos/:owner/:repo/actions/runners/': await runnerOf(owner, '/repos/acme/closed'),
    '/orgs/:org/actions/runners/': await runnerOf(owner, '/orgs/vault'),
    '/user/actions/runners/': await runnerOf(owner, '/user'),
    '/admin/actions/runners/': await runnerOf(t.admin, '/admin'),
  };
}

/** Registers a runner; returns its id. */
async function runnerOf(client: Client, place: string): Promise<string> {
  const { token } = await client.must('POST', `${place}/actions/runners/registration-token`);
  const { runner } = await t.anonymous.must('POST', '//api/actions/runner.v1.RunnerService/Register', { name: 'one', token });
  return runner.id;
}

function addressOf(path: string): string {
  const values: Record<string, string> = {
    owner: 'acme',
    repo: path.endsWith('/accept') ? 'leaving' : path.endsWith('/reject') ? 'staying' : 'closed',
    template_owner: 'acme',
    template_repo: 'pattern',
    org: 'vault',
    team: 'crew',
    token: 'old',
    collaborator: 'stranger',
    name: 'none',
    secretname: 'KEPT',
    runner_id: ids[path.slice(0, path.indexOf(':runner_id'))] ?? '1',
    variablename: 'KEPT',
    username:
      path === '/admin/users/:username/rename'
        ? 'recipient'
        : path.startsWith('/admin/')
          ? 'target'
          : path.startsWith('/users/')
            ? 'owner'
            : 'member',
    id: ids[path.slice(0, path.indexOf(':id'))] ?? '1',
  };
  return path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? assert.fail(name));
}

let number = 0;
function bodyOf(method: string, path: string): object | undefined {
  if (method === 'DELETE')
    return path === '/user/emails' ? { emails: ['more@example.com'] } : path.endsWith('/badges') ? { badge_slugs: ['none'] } : undefined;
  const name = `new-${++number}`;
  if (path.endsWith('/tests')) return undefined;
  if (/actions\/(secrets|variables|runners)/.test(path)) return { data: 'x', value: 'x', disabled: true };
  if (/hooks\/git/.test(path)) return { content: '#!/bin/sh\n' };
  if (/hooks/.test(path)) return hook();
  if (/gpg/.test(path)) return { armored_public_key: name, armored_signature: name, key_id: name };
  if (path.endsWith('/keys')) return { title: name, key: sshKey() };
  if (path.endsWith('/oauth2') || path.endsWith('oauth2/:id')) return { name, redirect_uris: ['https://example.com/'] };
  if (path.endsWith('/emails')) return { emails: [`${name}@example.com`] };
  if (path.endsWith('/badges')) return { badge_slugs: ['none'] };
  if (path.endsWith('/tokens')) return { name, scopes: ['all'] };
  if (path.endsWith('/migrate')) return { clone_addr: 'ftp://example.com/x', repo_name: name };
  if (path.endsWith('/push_mirrors')) return { remote_address: 'http://93.184.216.34/x.git', interval: '8h' };
  if (path.endsWith('/transfer')) return { new_owner: 'target' };
  if (path.endsWith('/generate')) return { owner: 'reader', name, git_content: true };
  if (path.endsWith('/rename')) return { new_username: name, new_name: name };
  if (path === '/orgs' || path.endsWith('/orgs')) return { username: name, visibility: 'private' };
  if (path.endsWith('/repos') || path.endsWith('/forks')) return { name, private: true };
  if (path.endsWith('/teams')) return { name, permission: 'admin' };
  if (path === '/teams/:id') return { name, permission: 'admin' };
  if (path === '/admin/users') return { username: name, email: `${name}@example.com`, password: 'Test-Passw0rd' };
  if (path === '/admin/users/:username') return { login_name: 'target', source_id: 0, admin: true };
  if (path.includes('/collaborators/')) return { permission: 'admin' };
  if (path === '/repos/:owner/:repo') return { private: false };
  if (path === '/orgs/:org') return { visibility: 'public' };
  if (path === '/user/settings') return { hide_email: true };
  return undefined;
}

async function tokenOf(name: string, scopes: string[]): Promise<Client> {
  const key = `${name} ${scopes}`;
  const found = tokens.get(key) ?? (await caller(name).token(scopes));
  tokens.set(key, found);
  return found;
}

/** Those whom a route has to refuse, each with what it says of itself. */
async function refused({ right, scopes, isOpen }: (typeof rows)[number]): Promise<[string, Client][]> {
  const names = CALLERS[right] ?? [];
  const least = names.at(-1) ?? '';
  const all: [string, Client][] = names.slice(0, -1).map((name) => [name, caller(name)]);
  for (const scope of scopes) {
    const others = CATEGORIES.filter((category) => category !== scope).map((category) => `write:${category}`);
    const lesser = scope === 'password' ? ['all'] : [...others, `read:${scope}`];
    all.push([`${least} by a token without ${scope}`, await tokenOf(least, lesser)]);
  }
  if (!isOpen) all.push([`${least} by a token for public things`, await tokenOf(least, ['all', 'public-only'])]);
  return all;
}

/** All rows, the git hooks, and which tokens there are: those say when they were last used besides. */
async function readState() {
  await t.settled();
  const { db } = t.context;
  const state = new Map(await readRows(t));
  for (const { id } of await db.selectFrom('access_tokens').select('id').execute()) state.set(`access_tokens ${id}`, '');
  return state.set('git hooks', JSON.stringify(await t.admin.must('GET', '/repos/acme/closed/hooks/git')));
}

describe('every way to a credential, hook, secret or visibility', () => {
  it('is in the table', () => {
    const ways = allRoutes
      .filter(({ method, path }) => method !== 'GET' && method !== 'HEAD' && (KIND.test(path) || VISIBILITY.includes(`${method} ${path}`)))
      .map(({ method, path }) => `${method} ${path.replaceAll(/\(\^[^)]*\$\)/g, '')}`);
    assert.deepEqual(
      ways.filter((way) => !listed.has(way) && !WITH_PROOF.test(way)),
      [],
    );
    assert.deepEqual(
      [...listed].filter((way) => !ways.includes(way)),
      [],
    );
  });

  it('refuses everybody below the least caller, and a lesser token of that one, and changes nothing', async () => {
    const tries: [(typeof rows)[number], [string, Client][]][] = [];
    for (const row of rows) tries.push([row, await refused(row)]);
    const before = await readState();
    const wrong: string[] = [];
    for (const [{ method, path, isAbsent }, clients] of tries) {
      for (const [who, client] of clients) {
        const json = bodyOf(method, path);
        const { status } = await client.send(method, addressOf(path), { json });
        if (!(isAbsent ? [401, 403] : [401, 403, 404]).includes(status)) wrong.push(`${method} ${path} answered ${who} ${status}`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(differences(before, await readState()), []);
  });

  it('gives nothing without a proof', async () => {
    const before = await readState();
    for (const { method, path } of allRoutes) {
      if (!WITH_PROOF.test(`${method} ${path}`)) continue;
      const { status } = await t.anonymous.send(method, path, { raw: '', type: 'application/x-www-form-urlencoded' });
      assert.ok(status < 500, `${status} ${path}`);
    }
    assert.deepEqual(differences(before, await readState()), []);
  });

  // Otherwise the refusals could be for another reason.
  it('lets the least caller in', async () => {
    const wrong: string[] = [];
    for (const { method, path, right, isAbsent } of rows) {
      const least = caller(CALLERS[right]?.at(-1) ?? '');
      const response = await least.send(method, addressOf(path), { json: bodyOf(method, path) });
      if (isAbsent ? response.status !== 404 : [401, 403, 404].includes(response.status))
        wrong.push(`${method} ${path} ${response.status} ${response.text}`);
    }
    assert.deepEqual(wrong, []);
  });
});
