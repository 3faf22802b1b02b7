import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { testServer } from '../support/server.ts';
import { SimulatedRunner, startRun, workflow } from './simulated-runner.ts';

const t = await testServer({ actions: { artifactMaxSize: 100_000 } });
const alice = await t.user('alice');
let last = 0;

/** A run of two jobs that go on, in a private repository of its own. */
async function run() {
  const name = `demo-${++last}`;
  const { id } = await alice.must('POST', '/user/repos', { name, private: true });
  const runner = await SimulatedRunner.at(t, alice, `/repos/alice/${name}`);
  const { id: runId } = await startRun(t, id, workflow(['one', 'two']));
  const [one, two] = [await runner.fetch(), await runner.fetch()];
  return { path: `/repos/alice/${name}`, runId, runner, one, two };
}
type Run = Awaited<ReturnType<typeof run>>;

const md5 = (content: string | Uint8Array, form: 'hex' | 'base64' = 'base64') => createHash('md5').update(content).digest(form);
const local = (url: string) => `/${new URL(url).pathname}${new URL(url).search}`;
const at = (runId: number, rest = '') => `//api/actions_pipeline/_apis/pipelines/workflows/${runId}/artifacts${rest}`;

/** A request by the token of a task. */
function send(
  { one }: Pick<Run, 'one'>,
  method: string,
  path: string,
  request: { json?: object; raw?: string | Uint8Array; headers?: object } = {},
) {
  const headers = { authorization: `Bearer ${one.context.gitea_runtime_token}`, ...request.headers };
  return t.anonymous.send(method, path, { ...request, headers });
}

/** Begins an artifact; returns what sends a chunk of a file. */
async function begin(of: Run, name: string) {
  const { json } = await send(of, 'POST', at(of.runId), { json: { Type: 'actions_storage', Name: name } });
  const url = json.fileContainerResourceUrl;
  assert.equal(local(url), at(of.runId, `/${md5(name, 'hex')}/upload`));
  return (file: string, raw: string | Uint8Array, headers: object = {}) =>
    send(of, 'PUT', `${local(url)}?itemPath=${encodeURIComponent(`${name}/${file}`)}`, {
      raw,
      headers: { 'x-actions-results-md5': md5(raw), ...headers },
    });
}
const confirm = (of: Run, name: string) => send(of, 'PATCH', at(of.runId, `?artifactName=${name}`));

describe('the older service of artifacts', () => {
  it('takes files in chunks, compressed or not, and serves them to other jobs of the run', async () => {
    const of = await run();
    assert.equal((await send(of, 'GET', at(of.runId))).status, 404, 'there are none');
    const put = await begin(of, 'made');
    const range = (start: number, end: number, size: number) => ({
      'content-range': `bytes ${start}-${end}/${size}`,
      'x-tfs-filelength': String(size),
    });
    // The order is that of the ranges, and a chunk that is sent again counts once.
    for (const [text, start] of [
      ['world', 6],
      ['hello ', 0],
      ['world', 6],
    ] as const)
      assert.equal((await put('folder/plain.txt', text, range(start, start + text.length - 1, 11))).status, 200);
    const packed = gzipSync('x'.repeat(5000));
    const gzip = {
      'content-encoding': 'gzip',
      'x-tfs-filelength': '5000',
      'content-range': `bytes 0-${packed.length - 1}/${packed.length}`,
    };
    assert.deepEqual((await put('packed.txt', packed, gzip)).json, { message: 'success' });
    assert.equal((await send(of, 'GET', at(of.runId))).status, 404, 'they are not complete');
    assert.deepEqual((await confirm(of, 'made')).json, { message: 'success' });

    const other = { one: of.two };
    const { count, value } = (await send(other, 'GET', at(of.runId))).json;
    assert.deepEqual([count, value[0].name], [1, 'made']);
    const files = (await send(other, 'GET', `${local(value[0].fileContainerResourceUrl)}?itemPath=made`)).json.value;
    assert.deepEqual(files.map(({ path, itemType }: Record<string, string>) => `${itemType} ${path}`).sort(), [
      'file made/folder/plain.txt',
      'file made/packed.txt',
    ]);
    for (const { path, contentLocation } of files) {
      const { bytes, headers } = await send(other, 'GET', local(contentLocation));
      if (path.endsWith('plain.txt')) assert.equal(bytes.toString(), 'hello world');
      else assert.deepEqual([headers.get('content-encoding'), gunzipSync(bytes).length], ['gzip', 5000]);
    }
    assert.equal((await alice.must('GET', `${of.path}/actions/artifacts`)).total_count, 0, 'the API has those of version 4 alone');
    const keys = await Array.fromAsync(t.context.storage.list('action-artifact-parts/'));
    assert.deepEqual(keys, []);
  });

  it('refuses what is not whole, and names that are none', async () => {
    const of = await run();
    const put = await begin(of, 'broken');
    assert.equal((await put('a', 'text', { 'x-actions-results-md5': md5('other') })).status, 400);
    assert.equal((await put('a', 'text', { 'content-range': 'bytes 4-7/8', 'x-tfs-filelength': '8' })).status, 200);
    assert.equal((await confirm(of, 'broken')).status, 400, 'the first chunk is missing');
    assert.equal((await put('a', 'te', { 'content-range': 'bytes 0-1/8', 'x-tfs-filelength': '8' })).status, 200);
    assert.equal((await confirm(of, 'broken')).status, 400, 'there is a gap');
    assert.equal((await put('a', 'x'.repeat(100_001))).status, 413);
    assert.equal((await send(of, 'PATCH', at(of.runId))).status, 400);
    assert.equal((await send(of, 'POST', at(of.runId), { raw: '[' })).status, 400);
    const named = (name: string, hash = md5(name, 'hex')) =>
      send(of, 'PUT', at(of.runId, `/${hash}/upload?itemPath=${encodeURIComponent(name)}/f`), { raw: 'x' });
    for (const [response, message] of [
      [await named('a:b'), /invalid character/],
      [await named('good', md5('bad', 'hex')), /Invalid artifact hash/],
      [await named('..'), /Invalid artifact hash/],
    ] as const)
      assert.deepEqual([response.status, message.test(response.text)], [400, true], response.text);
    assert.equal((await send(of, 'GET', at(of.runId))).status, 404);
  });

  it('goes on without a file of which nothing arrived', async () => {
    const of = await run();
    const put = await begin(of, 'made');
    assert.equal((await put('lost', 'text', { 'x-actions-results-md5': md5('other') })).status, 400);
    for (const range of ['bytes x', 'bytes 0-3', '0-3/4'])
      assert.equal((await put('lost', 'text', { 'content-range': range })).status, 400);
    assert.equal((await put('kept', 'text')).status, 200);
    assert.deepEqual((await confirm(of, 'made')).json, { message: 'success' });
    const { value } = (await send(of, 'GET', at(of.runId))).json;
    const files = (await send(of, 'GET', `${local(value[0].fileContainerResourceUrl)}?itemPath=made`)).json.value;
    assert.deepEqual(
      files.map(({ path }: { path: string }) => path),
      ['made/kept'],
    );
  });

  it('is for the run of a task that goes on, not for others', async () => {
    const [of, other] = [await run(), await run()];
    const put = await begin(of, 'made');
    await put('a', 'text');
    await confirm(of, 'made');
    assert.equal((await send(other, 'GET', at(of.runId))).status, 400);
    const { id } = await t.context.db.selectFrom('action_artifacts').select('id').where('run_id', '=', of.runId).executeTakeFirstOrThrow();
    assert.equal((await send(of, 'GET', at(of.runId, `/${id}/download`))).text, 'text');
    for (const path of [at(other.runId, `/${id}/download`), at(other.runId, '/999999/download'), at(other.runId, '/x/download')])
      assert.equal((await send(other, 'GET', path)).status, 404);
    assert.equal((await t.anonymous.send('GET', at(of.runId))).status, 401);
    assert.equal((await alice.send('GET', `${of.path}/actions/artifacts/${id}`)).status, 404);
    await of.runner.finish(of.one.id);
    assert.equal((await send(of, 'GET', at(of.runId))).status, 401);
  });
});
