import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { isSafeProtocol } from '../../src/git/processes/service-process.ts';
import { advertiseRefs } from '../../src/git/protocol/upload-pack.ts';
import type { ObjectFormat } from '../../src/git/repository.ts';
import { OBJECT_FORMATS } from '../../src/git/repository.ts';
import { leftoversOf, type Served, serve } from './served.ts';
import { client, commitFile, git, requireSound, temporaryFolder } from './writing.ts';

let repository: Served['repository'];
let remote: Served['remote'];
let tree: string;

async function begin(objectFormat?: ObjectFormat) {
  ({ repository, remote, tree } = await serve(objectFormat));
}

const leftovers = () => leftoversOf(repository);

describe('transport', () => {
  for (const format of OBJECT_FORMATS)
    for (const way of ['http', 'git'] as const)
      for (const version of [0, 1, 2])
        it(`takes a push and serves a clone, ${format}, ${way}, version ${version}`, async () => {
          await begin(format);
          const protocol = ['-c', `protocol.version=${version}`];
          const pushed = await client(tree, [...protocol, 'push', remote[way], 'main']);
          assert.equal(pushed.code, 0, pushed.stderr);
          const copy = join(temporaryFolder(), 'copy');
          const cloned = await client(tree, [...protocol, 'clone', '-q', remote[way], copy]);
          assert.equal(cloned.code, 0, cloned.stderr);
          assert.equal(git(copy, ['rev-parse', 'HEAD']), git(tree, ['rev-parse', 'main']));
          requireSound(repository);
          assert.deepEqual(leftovers(), []);
        });

  it('serves partial and shallow clones', async () => {
    await begin();
    await client(tree, ['push', '-q', 'origin', 'main']);
    for (const options of [['--filter=blob:none', '--bare'], ['--depth=1']]) {
      const { code, stderr } = await client(tree, ['clone', '-q', ...options, remote.http, join(temporaryFolder(), 'copy')]);
      assert.deepEqual([code, stderr], [0, '']);
    }
  });

  it('advertises as the protocol asks, and leaves out what is not a protocol', async () => {
    await begin();
    const [two, zero] = [
      await advertiseRefs(repository, 'upload-pack', 'version=2'),
      await advertiseRefs(repository, 'upload-pack', 'x=1\nLD_PRELOAD=y'),
    ];
    assert.match(two.toString(), /^001e# service=git-upload-pack\n0000000eversion 2\n/);
    assert.match(two.toString(), /object-format=sha1/);
    assert.equal(zero.toString(), '001e# service=git-upload-pack\n00000000');
    assert.deepEqual(['version=2', 'version=2:x=y', 'version=2;x', '', 'a=b\n'].map(isSafeProtocol), [true, true, false, false, false]);
  });
});

describe('pushes at once', () => {
  before(() => begin());

  it('go through on branches of their own; of those for one branch, one does', async () => {
    await client(tree, ['push', '-q', 'origin', 'main']);
    const trees = Array.from({ length: 6 }, (_, number) => {
      const folder = join(temporaryFolder(), 'copy');
      git(tree, ['clone', '-q', tree, folder]);
      commitFile(folder, `file-${number}`, `${number}\n`);
      return folder;
    });
    const own = await Promise.all(trees.map((folder, number) => client(folder, ['push', '-q', remote.http, `HEAD:own-${number}`])));
    assert.deepEqual(
      own.map(({ code }) => code),
      [0, 0, 0, 0, 0, 0],
    );
    const same = await Promise.all(trees.map((folder) => client(folder, ['push', '-q', remote.http, 'HEAD:main'])));
    const winner = same.findIndex(({ code }) => code === 0);
    assert.equal(same.filter(({ code }) => code === 0).length, 1);
    assert.equal(git(repository, ['rev-parse', 'main']), git(trees[winner] ?? '', ['rev-parse', 'HEAD']));
    assert.deepEqual(leftovers(), []);
    requireSound(repository);
  });
});
