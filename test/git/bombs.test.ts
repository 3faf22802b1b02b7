import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createArchive } from '../../src/git/archive.ts';
import { diffBetween } from '../../src/git/diff.ts';
import { GitPool } from '../../src/git/objects.ts';
import { GitLimitError, runGit } from '../../src/git/process.ts';
import type { GitRepository } from '../../src/git/repository.ts';
import { countBelow } from '../../src/git/tree-count.ts';

const path = await mkdtemp(join(tmpdir(), 'copse-bomb-'));
const repository: GitRepository = { path, objectFormat: 'sha1' };
const pool = new GitPool();
after(async () => {
  pool.close();
  await rm(path, { recursive: true, force: true });
});

const git = (args: string[], input = '') =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: path, input })
    .toString()
    .trim();
git(['init', '-q', '--bare', '.']);

/** A tree of ten entries that are all the same, whose entries are all the same, and so on. */
function bomb(levels: number): string {
  const blob = git(['hash-object', '-w', '--stdin'], 'content\n');
  let tree = git(['mktree'], Array.from({ length: 10 }, (_, i) => `100644 blob ${blob}\tf${i}\n`).join(''));
  for (let level = 1; level < levels; level++) {
    tree = git(['mktree'], Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\td${i}\n`).join(''));
  }
  return tree;
}

const small = git(['commit-tree', '-m', 'small', bomb(1)]);
const large = git(['commit-tree', '-m', 'large', '-p', small, bomb(10)]);

describe('a few trees that are billions of files', () => {
  it('are counted without going through them', async () => {
    assert.equal(await countBelow(repository, pool, bomb(1), 1000), 10);
    assert.equal(await countBelow(repository, pool, bomb(3), 1_000_000), 1110);
    assert.equal(await countBelow(repository, pool, bomb(10), 1_000_000), 1_000_001);
  });

  it('are put into no archive', async () => {
    for (const format of ['zip', 'tar.gz'] as const)
      await assert.rejects(createArchive(repository, pool, large, { format }), GitLimitError);
    assert.ok(await createArchive(repository, pool, small, { format: 'zip' }).then((stream) => stream?.toArray()));
  });

  it('are compared no longer than somebody waits for it', { timeout: 60_000 }, async () => {
    const stream = diffBetween(repository, small, large);
    stream.once('data', () => assert.fail('there is an end to it'));
    setTimeout(() => stream.destroy(), 300);
    await new Promise((resolve) => stream.once('close', resolve));
  });

  it('take no more memory than any process of git may', async () => {
    const { stdout } = await runGit(['-c', 'alias.bound=!ulimit -d', 'bound'], { cwd: path });
    assert.equal(stdout.toString().trim(), String(2 * 1024 * 1024));
    const unbounded = await runGit(['-c', 'alias.bound=!ulimit -d', 'bound'], { cwd: path, memory: 'unbounded' });
    assert.equal(unbounded.stdout.toString().trim(), 'unlimited');
  });
});
