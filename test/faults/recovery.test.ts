import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { announceMove, refsMoved } from '../../src/code/refs-moved.ts';
import { lockFolder } from '../../src/database/folder-lock.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { updateRef } from '../../src/git/refs/update-refs.ts';
import { startServer } from '../../src/server.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { onServer } from '../transport/work-tree.ts';

/* What a dead process has left is cleared away by the others, and by the next start. */

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main' });
const { db, processes, git } = t.context;
const HOUR_AGO = new Date(Date.now() - 3_600_000);

/** A process that sends no heartbeat. */
async function endedProcess(): Promise<number> {
  const { id } = await db
    .insertInto('processes')
    .values({ role: 'server', host: 'elsewhere', pid: process.pid, version: '1', started_at: 1, heartbeat_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** As the registry does when it finds a process gone. */
async function release(id: number): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute();
  processes.notifyReleased();
}

/** From before the start of this server. */
async function old(path: string): Promise<string> {
  await utimes(path, HOUR_AGO, HOUR_AGO);
  return path;
}

async function leave(folder: string, names: readonly string[]): Promise<string[]> {
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) {
    await mkdir(join(path, '..'), { recursive: true });
    if (path.includes('tmp_objdir')) await mkdir(path);
    else await writeFile(path, '');
    await old(path);
  }
  return paths;
}

const LEFT = [
  'refs/pull/7/head.lock',
  'HEAD.lock',
  'packed-refs.lock',
  'objects/tmp_objdir-incoming-x',
  'objects/17/tmp_obj_x',
  'objects/pack/tmp_pack_x',
];

describe('a dead process', () => {
  it('leaves no locks and temporary files in the repositories that it was writing to', async () => {
    const { folder, row } = await onServer(t, 'alice', 'demo');
    const id = await endedProcess();
    const left = await leave(folder.path, LEFT);
    const living = join(folder.path, 'refs/heads/living.lock');
    await writeFile(living, '');
    await leave(join(git.root, '.writers', `${id}-0123abcd`), [`${row.id}.git`]);
    await release(id);
    await eventually(() => left.every((path) => !existsSync(path)), 'the sweep');
    await eventually(() => !existsSync(join(git.root, '.writers', `${id}-0123abcd`)), 'the end of the notes');
    assert.ok(existsSync(living), 'what is young belongs to a living process');
  });

  it('takes nothing from a living one that writes to the same repository', async () => {
    const { folder, row } = await onServer(t, 'alice', 'demo');
    const [id, other] = [await endedProcess(), await endedProcess()];
    await db
      .updateTable('processes')
      .set({ heartbeat_at: Date.now() + 60_000 })
      .where('id', '=', other)
      .execute();
    const [lock = '', quarantine = ''] = await leave(folder.path, ['refs/heads/x.lock', 'objects/tmp_objdir-incoming-y']);
    for (const writer of [id, other]) await leave(join(git.root, '.writers', `${writer}-0123abcd`), [`${row.id}.git`]);
    await release(id);
    await eventually(() => !existsSync(lock), 'the sweep');
    assert.ok(existsSync(quarantine));
    await release(other);
    await eventually(() => !existsSync(quarantine), 'the sweep');
  });

  it('does not keep the name of a repository that it was making, nor a fork from being made', async () => {
    await bob.must('POST', '/repos/alice/demo/forks', {});
    const id = await endedProcess();
    const made = db.updateTable('repositories').set({ state: 'creating', process_id: id });
    await made.where('owner_id', '=', (await onServer(t, 'bob', 'demo')).row.owner_id).execute();
    assert.equal((await bob.get('/repos/bob/demo')).status, 404);
    assert.equal((await bob.post('/repos/alice/demo/forks', {})).status, 409);
    await release(id);
    await eventually(async () => (await bob.post('/repos/alice/demo/forks', {})).status === 202, 'a fork');
    assert.equal((await alice.must('GET', '/repos/alice/demo')).forks_count, 1);
  });

  it('has its moves of refs finished by others', async () => {
    const { row, folder } = await onServer(t, 'alice', 'demo');
    const tip = storedRef(folder, 'refs/heads/main') ?? '';
    const id = await endedProcess();
    await announceMove(t.context, row, [{ ref: 'refs/heads/by-the-dead', oldId: '0'.repeat(40), newId: tip }]);
    await updateRef(folder, { name: 'refs/heads/by-the-dead', from: null, to: tip });
    await db.updateTable('ref_moves').set({ process_id: id }).execute();
    const before = row.branches_count;
    await release(id);
    await eventually(async () => (await onServer(t, 'alice', 'demo')).row.branches_count === before + 1, 'the news of the move');
  });
});

describe('a process that lives', () => {
  it('finishes a move of refs that the database did not let it finish', async () => {
    const { row, folder } = await onServer(t, 'alice', 'demo');
    const tip = storedRef(folder, 'refs/heads/main') ?? '';
    const updates = [{ ref: 'refs/heads/unlucky', oldId: '0'.repeat(40), newId: tip }];
    const move = await announceMove(t.context, row, updates);
    await updateRef(folder, { name: 'refs/heads/unlucky', from: null, to: tip });
    const together = async () => {
      throw new Error('the database has gone');
    };
    await assert.rejects(refsMoved(t.context, row, updates, { move, together }), /the database has gone/);
    await eventually(async () => (await onServer(t, 'alice', 'demo')).row.branches_count === row.branches_count + 1, 'the news');
    assert.deepEqual(await db.selectFrom('ref_moves').selectAll().execute(), []);
  });

  it('notes what it writes to, until it stops', async () => {
    const { row } = await onServer(t, 'alice', 'demo');
    await alice.must('POST', '/repos/alice/demo/branches', { new_branch_name: 'noted' });
    const own = (await git.volumes.default.writers.list()).filter(({ isOwn }) => isOwn);
    assert.ok(own.some(({ names }) => names.includes(`${row.id}.git`)));
    await t.restart();
    const left = await t.context.git.volumes.default.writers.list();
    assert.deepEqual(
      left.filter(({ process }) => process === own[0]?.process),
      [],
    );
  });
});

describe('a second server', () => {
  it('is refused on the data folder of another, where that has SQLite in it', async () => {
    const { settings, database } = t.context;
    if (database.dialect === 'postgres') return;
    await assert.rejects(startServer({ ...settings, server: { ...settings.server, port: 0 } }), /another server runs on the data folder/);
    const release = await lockFolder(join(t.folder, 'other'));
    release();
    (await lockFolder(join(t.folder, 'other')))();
  });

  it('may start at the same time on a new PostgreSQL database, with an administrator to be made', async () => {
    const { settings, database, log } = t.context;
    if (database.dialect === 'sqlite') return;
    const first = {
      ...settings,
      server: { ...settings.server, port: 0 },
      admin: { ...settings.admin, username: 'chief', password: 'Chief-Passw0rd' },
    };
    const started = await Promise.allSettled([startServer(first, log), startServer(first, log), startServer(first, log)]);
    await Promise.all(started.map((result) => (result.status === 'fulfilled' ? result.value.close() : undefined)));
    assert.deepEqual(
      started.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'fulfilled'],
    );
  });
});
