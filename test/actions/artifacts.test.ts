import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { now } from '../../src/clock.ts';
import { testServer } from '../support/server.ts';
import { SimulatedRunner, startRun, workflow } from './simulated-runner.ts';

const MAX = 100_000;
const t = await testServer({ actions: { artifactMaxSize: MAX } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const SERVICE = '//twirp/github.actions.results.api.v1.ArtifactService/';
let last = 0;

/** A run of two jobs that go on, in a private repository of its own. */
async function run() {
  const name = `demo-${++last}`;
  const path = `/repos/alice/${name}`;
  const { id } = await alice.must('POST', '/user/repos', { name, private: true });
  const runner = await SimulatedRunner.at(t, alice, path);
  const { id: runId } = await startRun(t, id, workflow(['one', 'two']));
  const [one, two] = [await runner.fetch(), await runner.fetch()];
  return { path, runner, runId, one, two };
}

/** A message to the service by the token of a task. */
function call(task: { context: Record<string, string> }, runId: number, method: string, message: object = {}, token?: string) {
  const headers = { authorization: `Bearer ${token ?? task.context.gitea_runtime_token}` };
  return t.anonymous.send('POST', SERVICE + method, { json: { workflow_run_backend_id: String(runId), ...message }, headers });
}

const local = (url: string) => `/${new URL(url).pathname}${new URL(url).search}`;
const put = (url: string, raw: string, query: string) => t.anonymous.send('PUT', `${local(url)}&${query}`, { raw });
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const keys = async (prefix: string) => (await Array.fromAsync(t.context.storage.list(prefix))).map(({ key }) => key);

/** Uploads an artifact in one part. */
async function upload({ one: task, runId }: Awaited<ReturnType<typeof run>>, name: string, content: string, more: object = {}) {
  const { signedUploadUrl } = (await call(task, runId, 'CreateArtifact', { name, version: 4, ...more })).json;
  assert.equal((await put(signedUploadUrl, content, 'comp=appendBlock')).status, 201);
  const done = await call(task, runId, 'FinalizeArtifact', { name, size: String(content.length), hash: sha256(content) });
  assert.equal(done.status, 200, done.text);
  return Number(done.json.artifactId);
}

/** The content of an artifact, by a signed link. */
async function content(task: { context: Record<string, string> }, runId: number, name: string) {
  const { json, status } = await call(task, runId, 'GetSignedArtifactURL', { name });
  return status === 200 ? await t.anonymous.get(local(json.signedUrl)) : undefined;
}

describe('the service of artifacts', () => {
  it('puts blocks together in the order of their list, and nothing that does not have the size and the hash', async () => {
    const { one, two, runId } = await run();
    const { signedUploadUrl: url } = (await call(one, runId, 'CreateArtifact', { name: 'blocks' })).json;
    const finish = async (size: number, hash?: string) =>
      (await call(one, runId, 'FinalizeArtifact', { name: 'blocks', size, ...(hash && { hash }) })).status;
    assert.equal(await finish(0), 400, 'nothing has arrived');
    await Promise.all([put(url, 'world', 'comp=block&blockid=Yg%3D%3D'), put(url, 'hello ', 'comp=block&blockid=YQ%3D%3D')]);
    const list = (...names: string[]) => `<BlockList>${names.map((name) => `<Latest>${name}</Latest>`).join('')}</BlockList>`;
    await put(url, list('YQ==', 'Yw=='), 'comp=blocklist');
    assert.equal(await finish(11), 400, 'a block is missing');
    assert.equal((await put(url, list('YQ==', 'Yg=='), 'comp=blocklist')).json, 'created');
    assert.deepEqual(
      [await finish(10), await finish(12), await finish(11, sha256('other')), await finish(11, 'md5:x')],
      [400, 400, 400, 400],
    );
    assert.equal(await content(two, runId, 'blocks'), undefined, 'it is not there before its end');
    assert.deepEqual((await call(two, runId, 'ListArtifacts')).json, {});
    assert.equal(await finish(11, sha256('hello world')), 200);
    const found = await content(two, runId, 'blocks');
    assert.deepEqual([found?.text, found?.headers.get('content-type')], ['hello world', 'application/zip']);
    assert.match(found?.headers.get('content-security-policy') ?? '', /sandbox/);
    const { artifacts } = (await call(two, runId, 'ListArtifacts', { nameFilter: 'blocks' })).json;
    assert.deepEqual([artifacts.length, artifacts[0].size], [1, '11']);
    assert.deepEqual(await keys(`action-artifact-parts/${artifacts[0].databaseId}/`), []);
  });

  it('keeps two uploads of one name apart, and has one of them whole', async () => {
    const { one, two, runId } = await run();
    const urls = await Promise.all([one, two].map((task) => call(task, runId, 'CreateArtifact', { name: 'same' })));
    const texts = ['a'.repeat(5000), 'b'.repeat(4000)] as const;
    for (const half of [0, 1])
      await Promise.all(
        urls.map(({ json }, at) => put(json.signedUploadUrl, (texts[at] ?? '').slice(...(half ? [2000] : [0, 2000])), 'comp=appendBlock')),
      );
    const ends = await Promise.all(
      [one, two].map((task, at) =>
        call(task, runId, 'FinalizeArtifact', { name: 'same', size: texts[at]?.length, hash: sha256(texts[at] ?? '') }),
      ),
    );
    assert.deepEqual(
      ends.map(({ status }) => status),
      [200, 200],
    );
    const kept = (await content(one, runId, 'same'))?.text ?? '';
    assert.ok(kept === texts[0] || kept === texts[1], 'one of them is whole');
    await t.settled();
    const id = ends[0]?.json.artifactId;
    assert.equal((await keys('action-artifacts/')).filter((key) => key.includes(`/${id}-`)).length, 1, 'the other is removed');
  });

  it('is for the jobs of the run that go on, by their tokens', async () => {
    const mine = await run();
    const other = await run();
    const { one, two, runId, runner } = mine;
    await upload(mine, 'file', 'text');
    const status = async (...given: Parameters<typeof call>) => (await call(...given)).status;
    assert.equal(await status(other.one, runId, 'ListArtifacts'), 400);
    assert.equal(await status(other.one, other.runId, 'GetSignedArtifactURL', { name: 'file' }), 404);
    assert.equal(await status(one, runId, 'ListArtifacts', {}, one.context.token), 200);
    assert.equal(await status(one, runId, 'ListArtifacts', {}, 'nonsense'), 401);
    assert.equal((await t.anonymous.send('POST', `${SERVICE}ListArtifacts`, { json: {} })).status, 401);
    assert.equal((await alice.send('POST', `${SERVICE}ListArtifacts`, { json: {} })).status, 401);
    const url = local((await call(one, runId, 'GetSignedArtifactURL', { name: 'file' })).json.signedUrl);
    await runner.finish(one.id);
    assert.equal(await status(one, runId, 'ListArtifacts'), 401);
    assert.equal((await t.anonymous.get(url)).status, 401);
    assert.equal((await content(two, runId, 'file'))?.text, 'text');
  });

  it('refuses signed links that were changed', async () => {
    const mine = await run();
    await upload(mine, 'file', 'text');
    await upload(mine, 'other', 'more');
    const { one, runId } = mine;
    const url = local((await call(one, runId, 'GetSignedArtifactURL', { name: 'file' })).json.signedUrl);
    const get = async (link: string) => (await t.anonymous.get(link)).status;
    assert.equal(await get(url), 200);
    const changed = [
      url.replace(/sig=./, (sig) => `sig=${sig.endsWith('A') ? 'B' : 'A'}`),
      url.replace(/sig=[^&]+/, 'sig='),
      url.replace('artifactName=file', 'artifactName=other'),
      url.replace(/expires=\d/, 'expires=9'),
      url.replace(/taskID=\d+/, `taskID=${mine.two.id}`),
      url.replace(/artifactID=(\d+)/, (_, id) => `artifactID=${Number(id) + 1}`),
    ];
    for (const link of changed) assert.equal(await get(link), 401, link);
    assert.equal((await t.anonymous.send('PUT', `${url.replace('Download', 'Upload')}&comp=block`, { raw: 'x' })).status, 401);
    assert.equal(await get(url.replace(/taskID=\d+/, 'taskID=x')), 400);
  });

  it('bounds what is sent', async () => {
    const { one, runId } = await run();
    for (const name of ['', 'a/b', 'a\nb', 'x'.repeat(256)])
      assert.equal((await call(one, runId, 'CreateArtifact', { name })).status, 400, name);
    assert.equal((await call(one, runId, 'CreateArtifact', { name: 'a', expiresAt: 'soon' })).status, 400);
    const { signedUploadUrl: url } = (await call(one, runId, 'CreateArtifact', { name: 'large' })).json;
    assert.equal((await put(url, 'x'.repeat(MAX - 10), 'comp=appendBlock')).status, 201);
    assert.equal((await put(url, 'x'.repeat(11), 'comp=appendBlock')).status, 413);
    assert.equal((await put(url, 'x'.repeat(11), 'comp=block&blockid=a')).status, 413);
    assert.equal((await put(url, 'x', 'comp=other')).status, 400);
    const blocks = `<BlockList>${'<Latest>YQ==</Latest>'.repeat(10_001)}</BlockList>`;
    assert.equal((await put(url, blocks, 'comp=blocklist')).status, 400);
    assert.equal((await put(url, 'x'.repeat(10), 'comp=appendBlock')).status, 201);
    assert.equal((await call(one, runId, 'FinalizeArtifact', { name: 'large', size: MAX })).status, 200);
  });
});

describe('the routes of artifacts', () => {
  it('are for those who may read the repository, and the link for who has it', async () => {
    const mine = await run();
    const id = await upload(mine, 'page', '<script>', { mimeType: 'text/html' });
    const path = `${mine.path}/actions/artifacts/${id}`;
    const shown = await alice.must('GET', path);
    assert.deepEqual([shown.size_in_bytes, shown.workflow_run.id, shown.expired], [8, mine.runId, false]);
    for (const place of [path, `${path}/zip`]) {
      assert.deepEqual([(await bob.get(place)).status, (await t.anonymous.get(place)).status], [404, 404]);
      assert.equal((await alice.get(place.replace(mine.path, (await run()).path))).status, 404, 'of another repository');
    }
    const { status, headers } = await alice.get(`${path}/zip`);
    assert.equal(status, 302);
    const link = local(headers.get('location') ?? '');
    const served = await t.anonymous.get(link);
    assert.deepEqual([served.text, served.headers.get('content-type')], ['<script>', 'text/html']);
    assert.match(served.headers.get('content-security-policy') ?? '', /sandbox/);
    const changed = [
      link.replace(/sig=[^&]+/, 'sig=AAAA'),
      link.replace(/expires=\d/, 'expires=9'),
      link.replace(`/${id}/`, `/${id + 1}/`),
    ];
    for (const one of [...changed, link.split('?')[0] ?? '']) assert.equal((await t.anonymous.get(one)).status, 401, one);
    assert.deepEqual(
      [(await bob.delete(path)).status, (await alice.delete(path)).status, (await alice.delete(path)).status],
      [404, 204, 404],
    );
    assert.equal((await t.anonymous.get(link)).status, 404);
    await t.settled();
    assert.deepEqual(
      (await keys('action-artifacts/')).filter((key) => key.includes(`/${id}-`)),
      [],
    );
  });

  it('list those of a repository and of a run, by name and page', async () => {
    const mine = await run();
    const ids = [await upload(mine, 'one', '1'), await upload(mine, 'two', '22')];
    const list = async (query: string, place = mine.path) => {
      const { artifacts, total_count } = await alice.must('GET', `${place}/actions/${query}`);
      return [artifacts.map(({ id }: { id: number }) => id), total_count];
    };
    assert.deepEqual(await list('artifacts'), [ids, 2]);
    assert.deepEqual(await list(`runs/${mine.runId}/artifacts?name=two`), [[ids[1]], 1]);
    assert.deepEqual(await list('artifacts?limit=1&page=2'), [[ids[1]], 2]);
    assert.deepEqual(await list(`runs/${mine.runId}/artifacts`, (await run()).path), [[], 0]);
    const { headers } = await alice.get(`${mine.path}/actions/artifacts?limit=1`);
    assert.deepEqual([headers.get('x-total-count'), headers.get('link')], [null, null], 'the total is in the body alone');
  });

  it('say that an artifact has expired, whose bytes are removed, and forget those of a deleted run', async () => {
    const mine = await run();
    const [old, kept] = [await upload(mine, 'old', 'text'), await upload(mine, 'kept', 'text')];
    await t.context.db
      .updateTable('action_artifacts')
      .set({ expires_at: now() - 1 })
      .where('id', '=', old)
      .execute();
    assert.equal(await content(mine.one, mine.runId, 'old'), undefined);
    await t.context.schedule.run(t.context, 'cleanup_actions');
    await t.settled();
    const path = `${mine.path}/actions/artifacts`;
    assert.equal((await alice.must('GET', `${path}/${old}`)).expired, true);
    assert.equal((await alice.get(`${path}/${old}/zip`)).json.message, 'Artifact has expired');
    const stored = async () => (await keys('action-artifacts/')).map((key) => Number(/\/(\d+)-/.exec(key)?.[1]));
    assert.deepEqual([(await stored()).includes(old), (await stored()).includes(kept)], [false, true]);
    for (const task of [mine.one, mine.two]) await mine.runner.finish(task.id);
    assert.equal((await alice.delete(`${mine.path}/actions/runs/${mine.runId}`)).status, 204);
    await t.settled();
    assert.equal((await alice.get(`${path}/${kept}`)).status, 404);
    assert.equal((await stored()).includes(kept), false);
  });
});
