import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { writeCommit } from '../../../src/git/objects/write-objects.ts';
import { runGit } from '../../../src/git/processes/process.ts';
import { lockFile } from '../../../src/git/refs/lock-file.ts';
import {
  InvalidRefError,
  RefConflictError,
  RefLockedError,
  renameBranch,
  StaleRefError,
  setHead,
  updateRef,
  updateRefs,
} from '../../../src/git/refs/update-refs.ts';
import type { GitRepository } from '../../../src/git/repository.ts';
import { writeTree } from '../new-objects.ts';
import { ALICE, emptyRepository, git, requireSound } from '../writing.ts';

/** A thread that counts how often a ref was gone from `packed-refs`, with nobody holding its lock, and not from its file. */
const WATCHER = `
const { existsSync, readFileSync } = require('node:fs');
const { parentPort, workerData: path } = require('node:worker_threads');
let [isEnded, packed, seen] = [false, [], 0];
parentPort.once('message', () => { isEnded = true; });
(function look() {
  for (let turn = 0; turn < 100; turn++) {
    const now = readFileSync(path + '/packed-refs', 'utf8').match(/refs\\/heads\\/both-.*/g) ?? [];
    const gone = packed.filter((name) => !now.includes(name));
    if (gone.length > 0 && !existsSync(path + '/packed-refs.lock')) seen += gone.filter((name) => existsSync(path + '/' + name)).length;
    packed = now;
  }
  if (isEnded) parentPort.postMessage(seen);
  else setImmediate(look);
})();
`;

function watchForUnlocked(path: string): { end(): Promise<number> } {
  const thread = new Worker(WATCHER, { eval: true, workerData: path });
  return {
    async end() {
      const seen = once(thread, 'message');
      thread.postMessage('end');
      return (await seen)[0];
    },
  };
}

let repository: GitRepository;
let one: string;
let two: string;

async function commit(message: string): Promise<string> {
  const tree = await writeTree(repository, []);
  return await writeCommit(repository, { tree, parents: [], author: ALICE, committer: ALICE, message });
}

function refs(): string[] {
  return git(repository, ['for-each-ref', '--format=%(refname)']).split('\n').filter(Boolean);
}

describe('updateRefs', () => {
  before(async () => {
    repository = await emptyRepository();
    [one, two] = [await commit('one\n'), await commit('two\n')];
  });

  it('makes, moves and deletes a ref where it stands as expected', async () => {
    await updateRef(repository, { name: 'refs/heads/a/b', to: one, from: null });
    await updateRef(repository, { name: 'refs/heads/a/b', to: two, from: one });
    assert.equal(git(repository, ['rev-parse', 'refs/heads/a/b']), two);
    await updateRef(repository, { name: 'refs/heads/a/b', to: null, from: two });
    assert.deepEqual(refs(), []);
    assert.equal(existsSync(join(repository.path, 'refs/heads/a')), false);
    assert.equal(existsSync(join(repository.path, 'refs/heads')), true);
  });

  it('refuses what stands elsewhere, and then moves none of several', async () => {
    await updateRef(repository, { name: 'refs/heads/main', to: one });
    const stale = { name: 'refs/heads/main', to: two, from: two };
    await assert.rejects(updateRefs(repository, [{ name: 'refs/heads/aside', to: one, from: null }, stale]), (error: unknown) => {
      assert(error instanceof StaleRefError);
      assert.deepEqual([error.ref, error.expected, error.actual], ['refs/heads/main', two, one]);
      return true;
    });
    await assert.rejects(updateRef(repository, { name: 'refs/heads/main', to: two, from: null }), StaleRefError);
    await assert.rejects(updateRef(repository, { name: 'refs/heads/gone', to: null }), StaleRefError);
    assert.deepEqual(refs(), ['refs/heads/main']);
    assert.equal(existsSync(join(repository.path, 'refs/heads/aside.lock')), false);
  });

  it('deletes packed refs, with their peeled lines, and no others', async () => {
    const tag = git(repository, ['tag', '-a', '-m', 'x', 'v1', one]) || git(repository, ['rev-parse', 'v1']);
    await updateRef(repository, { name: 'refs/heads/keep', to: one });
    git(repository, ['pack-refs', '--all']);
    await updateRef(repository, { name: 'refs/heads/keep', to: two, from: one });
    await updateRefs(repository, [
      { name: 'refs/tags/v1', to: null, from: tag },
      { name: 'refs/heads/keep', to: null, from: two },
    ]);
    assert.deepEqual(refs(), ['refs/heads/main']);
    await updateRef(repository, { name: 'refs/heads/keep', to: one, from: null });
    await updateRef(repository, { name: 'refs/heads/keep', to: null });
    requireSound(repository);
  });

  it('keeps packed-refs locked until a deleted ref is gone from both places', async () => {
    const names = Array.from({ length: 60 }, (_, number) => `refs/heads/both-${number}`);
    for (const name of names) await updateRef(repository, { name, to: one });
    git(repository, ['pack-refs', '--all', '--no-prune']);
    const watch = watchForUnlocked(repository.path);
    for (const name of names) await updateRef(repository, { name, to: null, from: one });
    assert.equal(await watch.end(), 0, 'git could have packed the deleted ref again');
    assert.equal(existsSync(join(repository.path, 'packed-refs.lock')), false);
  });

  it('refuses a ref below another or above one, loose or packed', async () => {
    await updateRef(repository, { name: 'refs/heads/x', to: one });
    await assert.rejects(updateRef(repository, { name: 'refs/heads/x/y', to: one }), RefConflictError);
    await updateRef(repository, { name: 'refs/heads/p/q', to: one });
    await assert.rejects(updateRef(repository, { name: 'refs/heads/p', to: one }), RefConflictError);
    git(repository, ['pack-refs', '--all']);
    await assert.rejects(updateRef(repository, { name: 'refs/heads/x/y', to: one }), RefConflictError);
    await assert.rejects(updateRef(repository, { name: 'refs/heads/p', to: one }), RefConflictError);
    await assert.rejects(
      updateRefs(repository, [
        { name: 'refs/heads/n', to: one },
        { name: 'refs/heads/n/m', to: one },
      ]),
      RefConflictError,
    );
    await updateRefs(repository, [
      { name: 'refs/heads/x', to: null },
      { name: 'refs/heads/p/q', to: null },
    ]);
    await updateRef(repository, { name: 'refs/heads/x/y', to: one });
    await updateRef(repository, { name: 'refs/heads/x/y', to: null });
  });

  it('takes a lock that git holds for what it is', async () => {
    const lock = join(repository.path, 'refs/heads/held.lock');
    writeFileSync(lock, '');
    await assert.rejects(updateRef(repository, { name: 'refs/heads/held', to: one }), RefLockedError);
    assert.equal(existsSync(lock), true);
    git(repository, ['update-ref', 'refs/heads/other', one]);
  });

  for (const name of [
    'refs/heads/a..b',
    'refs/heads/-\n',
    'HEAD',
    'refs/heads/a.lock',
    'refs/heads/../../config',
    'refs/heads/',
    'refs/heads/a@{1}',
  ])
    it(`refuses the name ${JSON.stringify(name)}`, async () => {
      await assert.rejects(updateRef(repository, { name, to: one }), InvalidRefError);
    });

  it('refuses what is not an object id', async () => {
    for (const to of ['main', one.slice(1), '0'.repeat(40), `${one}\n`])
      await assert.rejects(updateRef(repository, { name: 'refs/heads/n', to }), InvalidRefError);
  });

  it('runs what must be written before the move under the lock, and moves nothing if that fails', async () => {
    const failing = updateRef(repository, { name: 'refs/heads/late', to: one }, async () => {
      assert.equal(existsSync(join(repository.path, 'refs/heads/late.lock')), true);
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.equal(refs().includes('refs/heads/late'), false);
  });

  it('lets exactly one of many writers move a ref from where it stands, beside git packing refs', async () => {
    const commits = await Promise.all(Array.from({ length: 8 }, (_, number) => commit(`racer ${number}\n`)));
    await updateRef(repository, { name: 'refs/heads/race', to: one });
    const race = Promise.allSettled(commits.map((to) => updateRef(repository, { name: 'refs/heads/race', to, from: one })));
    // Not in a way that holds up the writers: they wait for one another for a second.
    await runGit(['pack-refs', '--all', '--prune'], { cwd: repository.path });
    const results = await race;
    const winner = commits.filter((_, number) => results[number]?.status === 'fulfilled');
    assert.equal(winner.length, 1);
    assert.equal(git(repository, ['rev-parse', 'race']), winner[0]);
    for (const result of results) if (result.status === 'rejected') assert(result.reason instanceof StaleRefError);
    requireSound(repository);
  });

  it('takes a lock that nobody holds, however long the making of its folders takes', async () => {
    for (let number = 0; number < 20; number++) {
      const path = join(repository.path, 'refs/heads', `${number}/`, ...'folders/down/to/where/it/is'.split('/'));
      await (await lockFile(repository.path, path, 0)).release();
    }
  });
});

describe('HEAD and branches', () => {
  before(async () => {
    repository = await emptyRepository('sha256');
    one = await commit('one\n');
    await updateRef(repository, { name: 'refs/heads/main', to: one });
  });

  it('puts HEAD on a branch only', async () => {
    await setHead(repository, 'refs/heads/later');
    assert.equal(git(repository, ['symbolic-ref', 'HEAD']), 'refs/heads/later');
    await setHead(repository, 'refs/heads/main');
    for (const name of ['refs/tags/x', 'main', 'refs/heads/a\nb']) await assert.rejects(setHead(repository, name), InvalidRefError);
  });

  it('renames a branch, HEAD with it, also into what was its folder', async () => {
    await renameBranch(repository, 'main', 'trunk');
    assert.equal(git(repository, ['symbolic-ref', 'HEAD']), 'refs/heads/trunk');
    await renameBranch(repository, 'trunk', 'trunk/one');
    await renameBranch(repository, 'trunk/one', 'trunk');
    assert.deepEqual(refs(), ['refs/heads/trunk']);
    assert.equal(git(repository, ['rev-parse', 'HEAD']), one);
    await assert.rejects(renameBranch(repository, 'missing', 'x'), StaleRefError);
    await updateRef(repository, { name: 'refs/heads/taken', to: one });
    await assert.rejects(renameBranch(repository, 'trunk', 'taken'), StaleRefError);
    assert.deepEqual(refs(), ['refs/heads/taken', 'refs/heads/trunk']);
  });
});
