// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { endJobs } from '../../src/actions/jobs/cancel.ts';
import { jobsOfRun } from '../../src/actions/jobs/find.ts';
import { inTransaction } from '../../src/context.ts';
import { lasting, writeEverywhere } from '../routes/writing.ts';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { SimulatedRunner, startRun, workflow } from './simulated-runner.ts';

const t = await testServer({ access: { requireTwoFactor: false } });
const alice = await t.user('alice');
await t.user('bob');
let last = 0;

/** A repository of alice's with a job that goes on, and a client with its token. */
async function job({ isPrivate = true, permissions = '', parts = {} } = {}) {
  const name = `demo-${++last}`;
  const { id } = await alice.must('POST', '/user/repos', { name, private: isPrivate, auto_init: true });
  const path = `/repos/alice/${name}`;
  const runner = await SimulatedRunner.at(t, alice, path);
  const run = await startRun(t, id, workflow(['one'], permissions), parts);
  const task = await runner.fetch();
  const { token } = task.context;
  const client = new Client(() => t.url, { name: 'x-access-token', password: token, authorization: `token ${token}` });
  return { id, name, path, runner, run, task, token, client };
}

const status = async (client: Client, method: string, path: string, json?: object) => (await client.send(method, path, { json })).status;

describe('the token of a job', () => {
  it('reads and writes its own repository, by each way to send it', async () => {
    const { path, client, token } = await job();
    const content = Buffer.from('made').toString('base64');
    assert.equal(await status(client, 'POST', `${path}/contents/made.txt`, { content, message: 'Made' }), 201);
    const { user } = await client.must('POST', `${path}/issues`, { title: 'From a job' });
    assert.deepEqual([user.id, user.login], [-2, 'gitea-actions']);
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    for (const authorization of [`Bearer ${token}`, basic(`x-access-token:${token}`), basic(`${token}:x-oauth-basic`), basic(`${token}:`)])
      assert.equal((await t.anonymous.get(path, { headers: { authorization } })).status, 200);
    for (const [method, place] of [
      ['GET', '/actions/secrets'],
      ['GET', '/hooks'],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/actions/runners/registration-token'],
      ['PUT', '/collaborators/alice'],
    ] as const)
      assert.equal(await status(client, method, path + place, method === 'GET' ? undefined : {}), 403, `${method} ${place}`);
  });

  it('publishes packages of its repository, and gets at no others', async () => {
    const { client, id } = await job({ permissions: 'permissions: { packages: write }' });
    const file = (name: string, owner = 'alice') => `//api/packages/${owner}/generic/${name}/1/file`;
    const put = async (by: Client, path: string) => (await by.send('PUT', path, { raw: 'x' })).status;
    assert.equal(await put(client, file('made-by-job')), 201);
    const [made] = await alice.must('GET', '/packages/alice?q=made-by-job');
    assert.deepEqual([made.repository.id, made.creator.login], [id, 'Ghost']);
    assert.equal(await put(client, `${file('made-by-job')}2`), 201, 'a further file of what is its own');
    assert.equal(await put(alice, file('by-hand')), 201);
    assert.equal(await put(client, `${file('by-hand')}2`), 403, 'linked to no repository');
    const other = await job({ permissions: 'permissions: { packages: write }' });
    assert.equal(await put(other.client, `${file('made-by-job')}3`), 403, 'of another repository');
    assert.equal(await put(client, file('tool', 'bob')), 401, 'of another owner');
    assert.equal(await status(client, 'DELETE', file('made-by-job')), 401, 'it deletes nothing');
    for (const permissions of ['permissions: { packages: read }', 'permissions: {}'])
      assert.equal(await put((await job({ permissions })).client, file('refused')), 401, permissions);
    const fork = { event: 'pull_request', trigger_event: 'pull_request', event_payload: '{}', is_fork_pull_request: true };
    assert.equal(await put((await job({ parts: fork })).client, file('refused')), 401, 'a fork only reads');
  });

  it('publishes with npm and docker', async () => {
    const { client, id, token } = await job();
    const data = Buffer.from('no tarball is looked into');
    const integrity = `sha512-${createHash('sha512').update(data).digest('base64')}`;
    const npm = {
      name: 'njob',
      versions: { '1.0.0': { name: 'njob', version: '1.0.0', dist: { integrity } } },
      'dist-tags': { latest: '1.0.0' },
      _attachments: { 'njob-1.0.0.tgz': { data: data.toString('base64') } },
    };
    assert.equal((await client.send('PUT', '//api/packages/alice/npm/njob', { json: npm })).status, 201);
    assert.equal(await status(client, 'PUT', '//api/packages/alice/npm/-/package/njob/dist-tags/next'), 401);
    const deprecated = { name: 'njob', versions: { '1.0.0': { version: '1.0.0', deprecated: 'Gone' } } };
    assert.equal(await status((await job()).client, 'PUT', '//api/packages/alice/npm/njob', deprecated), 403, 'of another repository');
    assert.equal(await status(client, 'PUT', '//api/packages/alice/npm/njob', deprecated), 200);
    const basic = { authorization: `Basic ${Buffer.from(`alice:${token}`).toString('base64')}` };
    const { token: bearer } = (await t.anonymous.get('//v2/token', { headers: basic })).json;
    const docker = (method: string, path: string, raw: string, type?: string) =>
      t.anonymous.send(method, `//v2/alice/image${path}`, { raw, ...(type && { type }), headers: { authorization: `Bearer ${bearer}` } });
    const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
    const config = JSON.stringify({ architecture: 'amd64', os: 'linux' });
    const begun = await docker('POST', '/blobs/uploads/', '');
    assert.equal(begun.status, 202, begun.text);
    const place = new URL(begun.headers.get('location') ?? '', t.url).pathname.replace('/v2/alice/image', '');
    assert.equal((await docker('PUT', `${place}?digest=${digest(config)}`, config)).status, 201);
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const layer = { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digest(config), size: config.length };
    const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: layer, layers: [] });
    const stored = await docker('PUT', '/manifests/latest', manifest, mediaType);
    assert.equal(stored.status, 201, stored.text);
    assert.equal((await docker('GET', '/manifests/latest', '')).text, manifest);
    assert.equal((await docker('DELETE', '/manifests/latest', '')).status, 401);
    const all = await alice.must('GET', '/packages/alice');
    const linked = all.filter(({ name }: { name: string }) => ['njob', 'image'].includes(name));
    assert.deepEqual(
      linked.map(({ repository }: { repository: { id: number } }) => repository.id),
      [id, id],
    );
  });

  it('reads the packages of its owner, and deletes none', async () => {
    const hidden = await t.user('hidden', { visibility: 'private' });
    for (const owner of [alice, hidden]) await owner.send('PUT', `//api/packages/${owner.name}/generic/tool/1/file`, { raw: 'x' });
    const reading = await job({ permissions: 'permissions: { packages: write }' });
    const file = (owner: string) => `//api/packages/${owner}/generic/tool/1/file`;
    await t.context.db.updateTable('users').set({ visibility: 'private' }).where('name', '=', 'alice').execute();
    const unable = await job({ permissions: 'permissions: { packages: none }' });
    assert.deepEqual([await status(reading.client, 'GET', file('alice')), await status(unable.client, 'GET', file('alice'))], [200, 401]);
    await t.context.db.updateTable('users').set({ visibility: 'public' }).where('name', '=', 'alice').execute();
    assert.deepEqual([await status(unable.client, 'GET', file('alice')), await status(reading.client, 'GET', file('hidden'))], [200, 401]);
    assert.equal(await status(reading.client, 'DELETE', file('alice')), 401);
    assert.equal(await status(reading.client, 'DELETE', '/packages/alice/generic/tool'), 403);
  });

  it('reaches no other repository by the API, public ones included, and nothing that belongs to an account', async () => {
    const { client, path: own } = await job();
    const [closed, open] = [await job(), await job({ isPrivate: false })];
    const others = async ({ path }: { path: string }) =>
      `${await status(client, 'GET', path)} ${await status(client, 'POST', `${path}/issues`, { title: 'x' })}`;
    assert.deepEqual([await others(closed), await others(open)], ['404 404', '404 404']);
    for (const [method, path, body] of [
      ['POST', '/user/repos', { name: 'x' }],
      ['POST', '/orgs', { username: 'x' }],
      ['POST', '/user/keys', { title: 'x', key: 'x' }],
      ['PATCH', '/user/settings', {}],
      ['PUT', '/user/actions/secrets/X', { data: 'x' }],
      ['PUT', '/user/following/alice', {}],
      ['POST', '/user/actions/runners/registration-token', {}],
      ['POST', `/repos/alice/${open.name}/forks`, {}],
      ['POST', `${own}/forks`, {}],
      ['PUT', `${own}/subscription`, {}],
      ['POST', '/repos/migrate', { clone_addr: 'https://example.com/x', repo_name: 'x' }],
      ['GET', '/admin/users', undefined],
    ] as const)
      assert.ok([403, 404].includes(await status(client, method, path, body)), path);
    assert.equal((await client.must('GET', '/user')).login, 'gitea-actions');
    assert.equal((await client.get('/user', { headers: { sudo: 'alice' } })).status, 403);
  });

  it('does what the permissions of the workflow say', async () => {
    const rights = async (permissions: string) => {
      const { path, client } = await job({ permissions });
      const content = { content: 'eA==', message: 'x' };
      return [
        await status(client, 'GET', path),
        await status(client, 'GET', `${path}/contents/README.md`),
        await status(client, 'POST', `${path}/contents/x.txt`, content),
        await status(client, 'GET', `${path}/issues`),
        await status(client, 'POST', `${path}/issues`, { title: 'x' }),
      ].join(' ');
    };
    assert.equal(await rights(''), '200 200 201 200 201');
    assert.equal(await rights('permissions:\n  contents: read\n'), '200 200 403 404 404');
    assert.equal(await rights('permissions:\n  issues: write\n'), '200 403 403 200 201');
    assert.equal(await rights('permissions: {}\n'), '404 404 404 404 404');
  });

  it('of a pull request from a fork only reads code, packages and releases', async () => {
    const fork = { event: 'pull_request', trigger_event: 'pull_request', event_payload: '{}', is_fork_pull_request: true };
    const { path, client, name } = await job({ permissions: 'permissions: write-all\n', parts: fork });
    assert.equal(await status(client, 'GET', `${path}/contents/README.md`), 200);
    assert.equal(await status(client, 'POST', `${path}/contents/x.txt`, { content: 'eA==', message: 'x' }), 403);
    for (const part of ['issues', 'pulls']) assert.equal(await status(client, 'GET', `${path}/${part}`), 404);
    const open = await job({ isPrivate: false, parts: fork });
    assert.equal(await status(open.client, 'GET', `${open.path}/issues`), 200, 'what everybody may read');
    assert.equal((await client.git(['push', client.remote(`alice/${name}`), 'HEAD:main'], t.folder)).code, 128);
  });

  it('fetches and pushes with git, in its own repository', async () => {
    const { client, name } = await job();
    const other = await job();
    const folder = `${t.folder}/${name}`;
    assert.equal((await client.git(['clone', '-q', client.remote(`alice/${name}`), folder], t.folder)).code, 0);
    await client.git(['commit', '-q', '--allow-empty', '-m', 'By a job'], folder);
    const pushed = await client.git(['push', '-q', 'origin', 'HEAD:main'], folder);
    assert.equal(pushed.code, 0, pushed.stderr);
    assert.notEqual((await client.git(['ls-remote', client.remote(`alice/${other.name}`)], folder)).code, 0);
    await t.settled();
  });

  it('transfers large files, of its own repository', async () => {
    const { client, name } = await job();
    const other = await job();
    const type = 'application/vnd.git-lfs+json';
    const batch = async (repository: string, operation: string) => {
      const body = { operation, transfers: ['basic'], objects: [{ oid: 'a'.repeat(64), size: 3 }] };
      const options = { raw: JSON.stringify(body), type, headers: { accept: type } };
      return (await client.send('POST', `//alice/${repository}.git/info/lfs/objects/batch`, options)).status;
    };
    assert.deepEqual([await batch(name, 'upload'), await batch(name, 'download')], [200, 200]);
    assert.deepEqual([await batch(other.name, 'upload'), await batch(other.name, 'download')], [401, 401]);
  });

  it('is good as long as its task', async () => {
    const { path, client, runner, task } = await job();
    assert.equal(await status(client, 'GET', path), 200);
    await runner.finish(task.id);
    assert.equal(await status(client, 'GET', path), 401);
    const cancelled = await job();
    await inTransaction(t.context, async (context) => endJobs(context, await jobsOfRun(context.db, cancelled.run.id)));
    assert.equal(await status(cancelled.client, 'GET', cancelled.path), 401);
  });

  it('fails nowhere, though automation is in no table', async () => {
    const { client, name, path } = await job();
    await alice.must('POST', `${path}/issues`, { title: 'One' });
    await alice.must('POST', `${path}/issues/1/comments`, { body: 'x' });
    const place = {
      owner: ['alice'],
      repo: [name],
      index: ['1'],
      id: ['1'],
      '*': ['main'],
      sha: ['main'],
      ref: ['main'],
      target: ['alice'],
      user: ['alice'],
      collaborator: ['alice'],
      tag: ['v1'],
      name: ['x'],
      topic: ['x'],
      filepath: ['README.md'],
      secretname: ['X'],
      variablename: ['X'],
      runner_id: ['1'],
      job_id: ['1'],
      position: ['1'],
    };
    const routes = lasting.filter((route) => route.path.startsWith('/repos/:owner/:repo'));
    // A status of 500 fails.
    const taken = await writeEverywhere(client, routes, place, { head: 'main', base: 'main', content: 'heart', color: '#123456' });
    assert.ok(taken.length > 5);
    await t.settled();
  });
});
