import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCommand } from '../../src/cli/run.ts';
import { prepareDataFolders, volumePlaces } from '../../src/data-folders.ts';
import { syncFolder } from '../../src/git/copy-folder.ts';
import { Volumes } from '../../src/git/volumes.ts';
import { strayFolders } from '../../src/repositories/doctor/folders.ts';
import { listVolumes } from '../../src/repositories/volumes/list.ts';
import { VolumeMover } from '../../src/repositories/volumes/move-network.ts';
import { checkVolumes } from '../../src/repositories/volumes/prepare.ts';
import { afterwards } from '../support/afterwards.ts';
import { testServer } from '../support/server.ts';
import { COPSE, environmentOf } from '../support/server-process.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-volumes-'));
afterwards(() => rm(folder, { recursive: true, force: true }));
const second = join(folder, 'second');
await mkdir(second);
const t = await testServer({ repository: { volumes: [{ name: 'second', path: second }], closedVolumes: ['default'] } });
const [alice, bob] = [await t.user('alice'), await t.user('bob')];
const rowOf = (name: string) => t.context.db.selectFrom('repositories').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
const pathOf = async (name: string) => t.context.git.locate(await rowOf(name)).path;
const onDefault = (id: number) => t.context.git.volumes.default.folderOf(`${id}.git`);
const findings = async () => (await Array.fromAsync(strayFolders(t.context))).map(({ text }) => text);
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
await alice.must('POST', '/user/repos', { name: 'other', auto_init: true });
const { id } = await rowOf('demo');

async function moveNetwork(id: number, to: string): Promise<void> {
  const mover = new VolumeMover(t.context, to);
  await mover.move(id);
  await mover.finished();
}

/** Runs `copse` in a process of its own. */
function copse(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const { url } = t.context.settings.database;
  const env = environmentOf(t.context.settings.server.dataDir, {
    ...(url && { DATABASE_URL: url }),
    COPSE_REPOSITORY_VOLUMES: `second=${second}`,
  });
  return new Promise((resolve) => {
    execFile(COPSE, args, { env }, (error, out, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: stderr }),
    );
  });
}

describe('volumes of repositories', () => {
  it('get new repositories unless they are closed, and forks of their own', async () => {
    assert.equal((await rowOf('demo')).volume, 'second');
    assert.ok((await pathOf('demo')).startsWith(second));
    await t.settled();
    await mkdir(join(onDefault(id), '..'), { recursive: true });
    await rename(await pathOf('demo'), onDefault(id));
    const [finding] = await Array.fromAsync(strayFolders(t.context));
    assert.match(finding?.text ?? '', /lies on the volume default, not on second/);
    await finding?.fix?.();
    assert.equal((await alice.get('/repos/alice/demo/branches/main')).status, 200);
    await bob.must('POST', '/repos/alice/demo/forks', { name: 'fork' });
    assert.equal((await rowOf('fork')).volume, 'default');
    const volumes = await listVolumes(t.context);
    assert.deepEqual(
      volumes.map(({ name, repositories, isClosed }) => ({ name, repositories, isClosed })),
      [
        { name: 'default', repositories: 2, isClosed: true },
        { name: 'second', repositories: 1, isClosed: false },
      ],
    );
  });

  it('exchange repositories with their forks and wikis while they are written to', async () => {
    await alice.must('POST', '/repos/alice/demo/wiki/new', { title: 'Home', content_base64: 'SGVsbG8=' });
    const written: string[] = [];
    let isMoving = true;
    const write = async (worker: number) => {
      for (let n = 0; isMoving; n++) {
        const name = `${worker}-${n}`;
        const body = { new_branch_name: name, old_branch_name: 'main' };
        const target = n % 2 === 0 ? 'alice/demo' : 'bob/fork';
        const client = n % 2 === 0 ? alice : bob;
        if (n % 3 === 0)
          await client.must('POST', `/repos/${target}/contents/${name}.txt`, { content: 'eA==', branch: 'main', new_branch: name });
        else await client.must('POST', `/repos/${target}/branches`, body);
        written.push(`${target} ${name}`);
      }
    };
    const tree = join(folder, 'tree');
    assert.equal((await alice.git(['clone', '-q', alice.remote('alice/demo'), tree], folder)).code, 0);
    const push = async () => {
      for (let n = 0; isMoving; n++) {
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', `${n}`], { cwd: tree });
        const { code, stderr } = await alice.git(['push', '-q', 'origin', `HEAD:refs/heads/pushed-${n}`], tree);
        assert.equal(code, 0, stderr);
        written.push(`alice/demo pushed-${n}`);
      }
    };
    const writers = Promise.all([write(1), write(2), push()]);
    writers.catch(() => {});
    const { code, out, error } = await copse('repository', 'move', '--all-from', 'default', '--to', 'second');
    isMoving = false;
    await writers;
    assert.equal(code, 0, error);
    assert.match(out, /2 repositories are on the volume second/);
    for (const name of ['demo', 'fork']) {
      const path = await pathOf(name);
      assert.ok(path.startsWith(second), path);
      execFileSync('git', ['fsck', '--no-dangling'], { cwd: path, stdio: 'pipe' });
      const refs = execFileSync('git', ['for-each-ref', '--format=%(refname:short)'], { cwd: path, encoding: 'utf8' }).split('\n');
      const missing = written.filter((line) => line.split(' ')[0]?.endsWith(name) && !refs.includes(line.split(' ')[1] ?? ''));
      assert.deepEqual(missing, []);
    }
    assert.equal((await alice.get('/repos/alice/demo/wiki/page/Home')).status, 200);
    assert.equal(existsSync(onDefault(id)), false);
    assert.deepEqual(await t.context.db.selectFrom('repository_moves').selectAll().execute(), []);
    assert.deepEqual(await findings(), []);
  });

  it('keep files shared that forks share', async () => {
    const object = `objects/ab/${'0'.repeat(38)}`;
    for (const name of ['source', 'fork']) await mkdir(join(folder, name, 'objects/ab'), { recursive: true });
    await writeFile(join(folder, 'source', object), 'x');
    await link(join(folder, 'source', object), join(folder, 'fork', object));
    const links = new Map<string, string>();
    // What an interrupted copy has brought over is shared, too.
    await syncFolder(join(folder, 'source'), join(folder, 'source-copy'), { links });
    links.clear();
    for (const name of ['source', 'fork']) await syncFolder(join(folder, name), join(folder, `${name}-copy`), { links });
    const [source, fork] = await Promise.all(['source', 'fork'].map((name) => stat(join(folder, `${name}-copy`, object))));
    assert.equal(source?.ino, fork?.ino);
  });

  it('take up a move that was interrupted at its end', async () => {
    const from = await pathOf('other');
    const { id } = await rowOf('other');
    const { db } = t.context;
    execFileSync('cp', ['-a', from, join(folder, 'copy')]);
    await mkdir(join(onDefault(id), '..'), { recursive: true });
    await rename(join(folder, 'copy'), onDefault(id));
    assert.match((await findings()).join(), /second folder/);
    await assert.rejects(moveNetwork(id, 'default'), /there is a folder/);
    assert.ok(existsSync(onDefault(id)));
    const move = { repository_id: id, from_volume: 'second', to_volume: 'default', phase: 'locked' as const, process_id: null };
    await db.insertInto('repository_moves').values(move).execute();
    assert.match((await findings()).join(), /was interrupted/);
    await alice.must('POST', '/repos/alice/other/branches', { new_branch_name: 'meanwhile' });
    await moveNetwork(id, 'default');
    assert.equal((await alice.get('/repos/alice/other/branches/meanwhile')).status, 200);
    assert.ok((await pathOf('other')).startsWith(t.context.git.root));
    assert.equal(existsSync(from), false);
  });

  it('are refused alone while they are away', async () => {
    const volume = t.context.git.volumes.get('second');
    await rename(second, `${second}-away`);
    await volume.check();
    const { status, headers } = await alice.get('/repos/alice/demo/branches');
    assert.equal(status, 503);
    assert.ok(headers.get('retry-after'));
    assert.equal((await alice.get('/repos/alice/other/branches')).status, 200);
    assert.equal((await alice.get('/user/repos')).json.length, 2);
    assert.equal((await fetch(new URL('api/readyz', t.url))).status, 200);
    assert.equal((await alice.post('/user/repos', { name: 'new' })).status, 503);
    // The folder that the volume was mounted on is still there.
    await mkdir(second);
    assert.equal(await volume.check(), false);
    await rm(second, { recursive: true });
    const places = volumePlaces(t.context.settings);
    assert.throws(() => prepareDataFolders(t.context.settings), /the volume second of repositories cannot be used/);
    await mkdir(second);
    const check = () => checkVolumes(t.context.db, new Volumes(places, 0));
    await assert.rejects(check(), /the volume second of repositories is empty/);
    await writeFile(join(second, '.copse-volume'), 'third\n');
    await assert.rejects(check(), /is the volume third of repositories, not second/);
    await assert.rejects(checkVolumes(t.context.db, new Volumes(places.slice(0, 1), 0)), /on the volume second, which/);
    await rm(second, { recursive: true });
    await rename(`${second}-away`, second);
    await volume.check();
    assert.equal((await alice.get('/repos/alice/demo/branches')).status, 200);
  });

  it('are shown by a command, and moves are refused that name nothing', async () => {
    const { url } = t.context.settings.database;
    const environment = {
      COPSE_DATA_DIR: t.context.settings.server.dataDir,
      COPSE_REPOSITORY_VOLUMES: `second=${second}`,
      ...(url && { DATABASE_URL: url }),
    };
    const run = async (...args: string[]) => {
      let said = '';
      const write = (text: string) => {
        said += text;
      };
      const code = await runCommand(args, { environment, secret: async () => '', out: write, error: write });
      return `${code} ${said}`;
    };
    assert.match(await run('repository', 'volumes'), /^0 default at .*, 1 repositories\nsecond at .* GiB free, 2 repositories\n$/);
    assert.match(await run('repository', 'move', 'alice/nothing', '--to', 'second'), /^2 .*there is no repository alice\/nothing/);
    assert.match(await run('repository', 'move', 'alice/demo', '--to', 'nowhere'), /^2 .*there is no volume nowhere/);
    assert.match(await run('repository', 'move', '--to', 'second'), /^2 .*name either a repository or --all-from/);
  });
});
