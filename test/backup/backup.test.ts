import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { before, describe, it } from 'node:test';
import { makeBackup } from '../../src/backup/make/backup.ts';
import { backupsIn } from '../../src/backup/make/folder-sink.ts';
import { openSink } from '../../src/backup/make/open-sink.ts';
import type { BackupSink } from '../../src/backup/make/sink.ts';
import { internalContext } from '../../src/context.ts';
import { eventually } from '../support/eventually.ts';
import { environmentOf } from '../support/server-process.ts';
import { type Filled, fill } from './fill.ts';
import { differences, Instance, scratch } from './support.ts';

const source = await Instance.empty();
const folder = join(await scratch(), 'backups');
let filled: Filled;
/** What the server responded at the moment of the first backup. */
let expected: Record<string, string>;

before(async () => {
  await source.start();
  filled = await fill(source);
  await source.settled();
});

/** Makes a backup, and calls `change` when its moment is fixed and nothing but a table has been copied. */
async function backUpDuring(to: string, change: () => Promise<void>): Promise<string> {
  const { sink, index, close } = await openSink(to);
  let isChanged = false;
  const changing: BackupSink = Object.assign(Object.create(sink) as BackupSink, {
    add: sink.add.bind(sink),
    link: sink.link.bind(sink),
    addText: sink.addText.bind(sink),
    finish: sink.finish.bind(sink),
    move: async (path: string, from: string) => {
      await sink.move(path, from);
      if (!isChanged) await change();
      isChanged = true;
    },
  });
  Object.defineProperty(changing, 'transferred', { get: () => sink.transferred });
  const { path } = await makeBackup(internalContext(source.server.services), changing, index, () => {});
  await close(true);
  return path;
}

describe('copse backup', () => {
  it('shows one moment, whatever is pushed, written and deleted meanwhile', async () => {
    const { alice, bob, clone, paths } = filled;
    await alice.must('POST', '/user/repos', { name: 'short', auto_init: true });
    await source.settled();
    expected = await source.responses('alice', [...paths, '/repos/alice/short/branches']);
    const git = async (...args: string[]) => {
      const { code, stderr } = await alice.git(args, clone);
      assert.equal(code, 0, stderr);
    };
    await backUpDuring(folder, async () => {
      await writeFile(join(clone, 'data.bin'), 'other bytes');
      await git('commit', '-q', '-a', '--amend', '-m', 'Changed');
      await git('push', '-q', '--force', 'origin', 'feature', 'feature:refs/heads/later', ':refs/tags/v1');
      await alice.must('POST', '/repos/alice/code/contents/new.txt', { content: btoa('new'), message: 'add' });
      await bob.must('POST', '/repos/alice/code/issues/1/comments', { body: 'later' });
      const { json: assets } = await alice.get('/repos/alice/code/issues/1/assets');
      assert.equal((await alice.delete(`/repos/alice/code/issues/1/assets/${assets[0].id}`)).status, 204);
      assert.equal((await alice.delete('/packages/alice/generic/demo/1')).status, 204);
      assert.equal((await alice.delete('/repos/alice/short')).status, 204);
      assert.equal((await alice.delete('/user/avatar')).status, 204);
      await source.settled();
    });
    const target = await Instance.empty(source.database ? 'sqlite' : 'as tests');
    assert.match(await target.must('restore', '--from', folder), /restored \d+ repositories and \d+ blobs/);
    await target.start();
    assert.deepEqual(differences(await target.responses('alice', Object.keys(expected)), expected), []);
    await target.stop();
    assert.equal(await target.must('doctor', '--fsck'), 'nothing is wrong\n');
  });

  it('removes afterwards what was deleted meanwhile', async () => {
    const { db } = source.server.services.database;
    assert.deepEqual(await db.selectFrom('held_blobs').selectAll().execute(), []);
    assert.deepEqual(await db.selectFrom('backup_ref_moves').selectAll().execute(), []);
    assert.deepEqual(await Array.fromAsync(source.server.services.storage.list('avatars/')), []);
  });

  it('transfers to the same folder only what has changed, and removes old ones', async () => {
    const [first = ''] = await backupsIn(folder);
    assert.match(await source.must('backup', '--to', folder), /files of 0\.\d MiB, 0\.\d MiB of them new/);
    const [, second = ''] = await backupsIn(folder);
    const packs = async (name: string) => {
      const files = await readdir(join(folder, name), { recursive: true, withFileTypes: true });
      const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
      return new Map(await Promise.all(paths.map(async (path) => [relative(join(folder, name), path), (await stat(path)).ino] as const)));
    };
    const [before, after] = [await packs(first), await packs(second)];
    const kept = [...after].filter(([path, ino]) => before.get(path) === ino).map(([path]) => path);
    assert.ok(kept.some((path) => path.startsWith('blobs/lfs/')) && kept.some((path) => path.includes('/objects/')));
    assert.ok(kept.includes('data/secret.key') && kept.includes('database/labels.jsonl.zst'));
    assert.ok(!kept.includes('database/comments.jsonl.zst'));
    assert.ok(!before.has('database/package_blocks.jsonl.zst'), 'parts of documents can be made again');
    assert.equal((await stat(join(folder, second, 'data/secret.key'))).mode & 0o777, 0o600);
    assert.match(await source.must('backup', '--to', folder, '--keep', '1'), /removed 2 older/);
    assert.match(await source.must('backup', 'verify', folder), /\d+ files of .* are as they were backed up/);
  });

  it('says what it cannot do', async () => {
    const other = await scratch();
    await writeFile(join(other, 'letter.txt'), '');
    const run = async (...args: string[]) => (await source.run(...args)).stderr.split('\n')[0];
    assert.equal(await run('backup', '--to', other), `copse backup: ${other} is not a folder of backups: it has letter.txt`);
    assert.equal(await run('backup', '--to', folder, '--keep', '0'), 'copse backup: --keep has to be a number from 1 on');
    assert.equal(await run('restore', '--from', `${other}/x`), `copse restore: there is no backup ${other}/x`);
    assert.match((await run('restore', '--from', other)) ?? '', /is not a backup: it has no manifest.json/);
  });

  it('is killed without harm to earlier ones, and the next one goes on', async () => {
    const script = join(import.meta.dirname, 'killed.ts');
    const child = spawn(process.execPath, [script, folder], { env: environmentOf(source.dataDir, source.environment), stdio: 'ignore' });
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
    assert.ok(existsSync(join(folder, '.unfinished/database/users.jsonl.zst')));
    const [only] = await backupsIn(folder);
    await source.must('backup', 'verify', join(folder, only ?? ''));
    await source.must('backup', '--to', folder);
    assert.ok(!existsSync(join(folder, '.unfinished')));
    await source.must('backup', 'verify', folder);
  });

  it('goes into one file, and comes back from it', async () => {
    await eventually(async () => (await source.run('doctor')).stdout === 'nothing is wrong\n', 'the removals that a backup has held back');
    const now = await source.responses('alice', filled.paths);
    const archive = join(await scratch(), 'copse.tar.zst');
    await source.must('backup', '--to', archive);
    assert.equal((await stat(archive)).mode & 0o777, 0o600);
    assert.deepEqual((await readdir(dirname(archive))).length, 1);
    const target = await Instance.empty();
    await target.must('restore', '--from', archive);
    await target.start();
    assert.deepEqual(differences(await target.responses('alice', filled.paths), now), []);
    await target.stop();
    assert.equal(await target.must('doctor'), 'nothing is wrong\n');
    const again = await target.run('restore', '--from', archive);
    assert.match(again.stderr, /the data folder .* is not empty/);
  });
});
