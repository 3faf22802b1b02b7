import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { gitEnvironment } from '../../../src/git/processes/process.ts';
import { serveLsRefs } from '../../../src/git/protocol/ls-refs.ts';
import { packet } from '../../../src/git/protocol/pkt-line.ts';
import type { GitRepository, ObjectFormat } from '../../../src/git/repository.ts';
import { emptyRepository, git } from '../writing.ts';

const pool = new GitPool();
after(() => pool.close());

/** A request for the command with these arguments, as git sends it. */
function requestOf(format: ObjectFormat, args: readonly string[], more: readonly string[] = []): Buffer {
  const capabilities = ['command=ls-refs\n', 'agent=git/2.39.5', `object-format=${format}`, ...more];
  return Buffer.concat([...capabilities.map(packet), Buffer.from('0001'), ...args.map((line) => packet(`${line}\n`)), Buffer.from('0000')]);
}

function outputOfGit({ path }: GitRepository, input: Buffer): string {
  const options = { cwd: path, input, env: gitEnvironment({ GIT_PROTOCOL: 'version=2' }), stdio: ['pipe', 'pipe', 'ignore'] as const };
  return execFileSync('git', ['upload-pack', '--stateless-rpc', '.'], { ...options, stdio: [...options.stdio] }).toString();
}

const QUESTIONS: readonly (readonly string[])[] = [
  [],
  ['peel', 'symrefs', 'unborn', 'ref-prefix refs/heads/', 'ref-prefix refs/tags/', 'ref-prefix HEAD'],
  ['peel', 'symrefs', 'unborn'],
  ['symrefs'],
  ['peel'],
  ['unborn'],
  ['ref-prefix refs/heads/ma'],
  ['ref-prefix HEAD', 'ref-prefix refs/heads/HEAD'],
  ['ref-prefix nothing'],
];

async function requireSame(repository: GitRepository): Promise<void> {
  for (const args of QUESTIONS) {
    const request = requestOf(repository.objectFormat, args);
    assert.equal((await serveLsRefs(repository, pool, request))?.toString(), outputOfGit(repository, request), args.join());
  }
}

async function filled(format: ObjectFormat): Promise<{ repository: GitRepository; commit: string }> {
  const repository = await emptyRepository(format);
  const tree = git(repository, ['mktree'], '');
  const commit = git(repository, ['commit-tree', '-m', 'One', tree]);
  for (const ref of ['heads/main', 'heads/ünïcode', 'pull/1/head', 'notes/x', 'tags/plain'])
    git(repository, ['update-ref', `refs/${ref}`, commit]);
  git(repository, ['tag', '-a', '-m', 'Tag', 'annotated', commit]);
  git(repository, ['tag', '-a', '-m', 'Tag of a tag', 'twice', 'annotated']);
  git(repository, ['tag', '-a', '-m', 'Tag of a tree', 'tree', tree]);
  return { repository, commit };
}

describe('the refs for a client of version 2', () => {
  for (const format of ['sha1', 'sha256'] as const) {
    it(`are those of git, loose, packed and both, ${format}`, async () => {
      const { repository, commit } = await filled(format);
      await requireSame(repository);
      git(repository, ['pack-refs', '--all']);
      await requireSame(repository);
      git(repository, ['update-ref', 'refs/heads/loose', commit]);
      git(repository, ['tag', '-a', '-f', '-m', 'Another', 'plain', commit]);
      await requireSame(repository);
    });
  }

  it('are those of git where HEAD stands on a commit, on a branch that is not born, or nothing is', async () => {
    const { repository, commit } = await filled('sha1');
    git(repository, ['update-ref', '--no-deref', 'HEAD', commit]);
    await requireSame(repository);
    git(repository, ['symbolic-ref', 'HEAD', 'refs/heads/unborn']);
    await requireSame(repository);
    await requireSame(await emptyRepository());
  });

  it('are those of git where an object is missing', async () => {
    const { repository } = await filled('sha1');
    writeFileSync(join(repository.path, 'refs/heads/broken'), `${'1'.repeat(40)}\n`);
    await requireSame(repository);
  });

  it('are asked of git where other refs than HEAD are symbolic, where there is no HEAD, and where there are many', async () => {
    const request = requestOf('sha1', []);
    const { repository, commit } = await filled('sha1');
    git(repository, ['symbolic-ref', 'refs/heads/other', 'refs/heads/main']);
    assert.equal(await serveLsRefs(repository, pool, request), undefined);
    git(repository, ['symbolic-ref', '-d', 'refs/heads/other']);
    assert.ok(await serveLsRefs(repository, pool, request));
    const many = Array.from({ length: 1000 }, (_, number) => `create refs/tags/many-${number} ${commit}\n`);
    git(repository, ['update-ref', '--stdin'], many.join(''));
    assert.equal(await serveLsRefs(repository, pool, request), undefined);
    const headless = (await filled('sha1')).repository;
    rmSync(join(headless.path, 'HEAD'));
    assert.equal(await serveLsRefs(headless, pool, request), undefined);
  });

  it('are asked of git where the question is another one, or not understood', async () => {
    const { repository } = await filled('sha1');
    const whole = requestOf('sha1', ['peel']);
    for (const request of [
      requestOf('sha256', []),
      requestOf('sha1', ['something new']),
      requestOf('sha1', [], ['server-option=x']),
      Buffer.from(whole.toString().replace('ls-refs', 'ls-rofs')),
      Buffer.concat([whole, whole]),
      whole.subarray(0, -1),
      Buffer.from('hello'),
      Buffer.alloc(0),
    ])
      assert.equal(await serveLsRefs(repository, pool, request), undefined, request.toString());
    assert.ok(await serveLsRefs(repository, pool, whole));
  });
});
