import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createArchive } from '../../../src/git/archive.ts';
import { diffBetween } from '../../../src/git/diff/diff.ts';
import { readCommit, readCommits } from '../../../src/git/objects/commits.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { GitLimitError, runGit } from '../../../src/git/processes/process.ts';
import { readTag } from '../../../src/git/refs/tags.ts';
import type { GitRepository } from '../../../src/git/repository.ts';
import { countBelow } from '../../../src/git/trees/tree-count.ts';
import { MAX_PATH, readTreeRecursive } from '../../../src/git/trees/tree-listing.ts';

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

  it('are listed as far as the bound, each tree read once', async () => {
    const blob = git(['hash-object', '-w', '--stdin'], 'content\n');
    const files = git(['mktree'], Array.from({ length: 1000 }, (_, i) => `100644 blob ${blob}\tf${i}\n`).join(''));
    const folders = git(['mktree'], Array.from({ length: 1000 }, (_, i) => `040000 tree ${files}\td${i}\n`).join(''));
    const counted = new GitPool();
    let reads = 0;
    const { parsed } = counted;
    counted.parsed = (...parameters) => {
      reads++;
      return parsed.apply(counted, parameters) as never;
    };
    const listing = await readTreeRecursive(repository, counted, folders, 10_000);
    await counted.close();
    assert.equal(listing?.entries.length, 10_000);
    assert.equal(listing.truncated, true);
    assert.equal(reads, 2);
    const deep = await readTreeRecursive(repository, pool, bomb(10), 5000);
    assert.equal(deep?.entries.length, 5000);
  });
});

describe('objects that are too large', () => {
  const person = 'A <a@example.com> 1700000000 +0000';
  const commit = (message: string) =>
    git(['hash-object', '-t', 'commit', '-w', '--stdin'], `tree ${git(['mktree'])}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`);

  it('are not commits and no tags', async () => {
    const huge = commit('x'.repeat(2 * 1024 * 1024));
    const tag = git(
      ['hash-object', '-t', 'tag', '-w', '--stdin'],
      `object ${small}\ntype commit\ntag t\ntagger ${person}\n\n${'x'.repeat(2 * 1024 * 1024)}\n`,
    );
    assert.equal(await readCommit(repository, pool, huge), undefined);
    assert.equal(await readTag(repository, pool, tag), undefined);
    assert.equal(await readCommit(repository, pool, tag), undefined);
    const large = commit('x'.repeat(900 * 1024));
    assert.equal((await readCommit(repository, pool, large))?.message.length, 900 * 1024 + 1);
  });

  it('are read once', async () => {
    const huge = commit('y'.repeat(2 * 1024 * 1024));
    const counted = new GitPool();
    let requests = 0;
    const { processes } = counted;
    const { request } = processes;
    const countedRequest: typeof request = (...parameters) => {
      requests++;
      return request.apply(processes, parameters as never) as never;
    };
    processes.request = countedRequest;
    await counted.info(repository, huge);
    for (let i = 0; i < 3; i++) assert.equal(await readCommit(repository, counted, huge), undefined);
    await counted.close();
    assert.ok(requests <= 1, `${requests}`);
  });

  it('do not fill memory through a list', async () => {
    const large = Array.from({ length: 30 }, (_, i) => commit(`${i}${'x'.repeat(900 * 1024)}`));
    const commits = await readCommits(repository, pool, large);
    assert.ok(commits.length >= 10 && commits.length < 20, `${commits.length}`);
  });

  it('do not fill memory through long paths', async () => {
    const blob = git(['hash-object', '-w', '--stdin'], 'content\n');
    const files = git(['mktree'], `100644 blob ${blob}\tf\n`);
    const tree = git(['mktree'], `040000 tree ${files}\t${'d'.repeat(MAX_PATH)}\n100644 blob ${blob}\tz\n`);
    const listing = await readTreeRecursive(repository, pool, tree);
    assert.deepEqual(
      listing?.entries.map(({ name }) => name.length),
      [MAX_PATH, 1],
    );
  });
});
