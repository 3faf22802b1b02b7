import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeFiles } from '../../../src/git/edit/change-files.ts';
import { sweepLeftovers } from '../../../src/git/maintenance/leftovers.ts';
import { fsck, maintain } from '../../../src/git/maintenance/maintenance.ts';
import { gitEnvironment } from '../../../src/git/processes/process.ts';
import { updateRef } from '../../../src/git/refs/update-refs.ts';
import { type GitRepository, OBJECT_FORMATS } from '../../../src/git/repository.ts';
import { writeBlob } from '../new-objects.ts';
import { ALICE, emptyRepository, git, requireSound } from '../writing.ts';

let repository: GitRepository;

async function commitNumber(number: number): Promise<string> {
  const files = [{ operation: 'create' as const, path: `dir/${number}.txt`, content: Buffer.from(`${number}\n`) }];
  return (await changeFiles(repository, { branch: 'main', files, message: `${number}`, author: ALICE, committer: ALICE })).commit;
}

function packs(): string[] {
  return readdirSync(join(repository.path, 'objects/pack')).filter((name) => name.endsWith('.pack'));
}

for (const format of OBJECT_FORMATS)
  describe(`maintain, ${format}`, () => {
    before(async () => {
      repository = await emptyRepository(format);
    });

    it('leaves a small repository as it is', async () => {
      await commitNumber(0);
      assert.deepEqual(await maintain(repository), { swept: 0, packedRefs: false, repacked: false });
    });

    it('writes a bitmap once there is a pack that is worth one', async () => {
      const large = await emptyRepository(format);
      const content = randomBytes(1_500_000);
      await changeFiles(large, {
        branch: 'main',
        files: [{ operation: 'create', path: 'a', content }],
        message: 'a',
        author: ALICE,
        committer: ALICE,
      });
      git(large, ['-c', 'repack.writeBitmaps=false', 'repack', '-adq']);
      assert.equal((await maintain(large)).repacked, true);
      assert(readdirSync(join(large.path, 'objects/pack')).some((name) => name.endsWith('.bitmap')));
      assert.equal((await maintain(large)).repacked, false);
      requireSound(large);
    });

    it('packs refs and objects, with bitmaps and the commit graph with filters', async () => {
      for (let number = 1; number < 10; number++)
        await updateRef(repository, { name: `refs/heads/b${number}`, to: await commitNumber(number) });
      assert.deepEqual(await maintain(repository, { looseObjects: 0, looseRefs: 5 }), { swept: 0, packedRefs: true, repacked: true });
      const files = readdirSync(join(repository.path, 'objects'), { recursive: true }).map(String);
      assert.equal(existsSync(join(repository.path, 'refs/heads/b1')), false);
      assert(files.some((name) => name.endsWith('.bitmap')));
      assert(files.some((name) => name.endsWith('.graph')));
      assert.match(git(repository, ['count-objects', '-v']), /^count: 0$/m);
      requireSound(repository);
    });

    it('keeps the number of packs small, and what writers write meanwhile', async () => {
      const writing = (async () => {
        for (let number = 10; number < 30; number++) await commitNumber(number);
      })();
      for (let round = 0; round < 3; round++) await maintain(repository, { looseObjects: 0, looseRefs: 0 });
      await writing;
      await maintain(repository, { looseObjects: 0 });
      assert(packs().length <= 4, String(packs()));
      assert.equal(git(repository, ['rev-list', '--count', 'main']), '30');
      requireSound(repository);
    });

    it('removes what is out of reach only when asked to, and only when old', async () => {
      const lost = await writeBlob(repository, Buffer.from('lost\n'));
      const present = () => git(repository, ['cat-file', '--batch-check'], `${lost}\n`).endsWith('blob 5');
      await maintain(repository, { full: true });
      assert(present());
      await maintain(repository, { full: true, expireUnreachableMs: 60 * 60 * 1000 });
      assert(present());
      await maintain(repository, { full: true, expireUnreachableMs: 0 });
      assert(!present());
      assert.equal(packs().length, 1);
      requireSound(repository);
    });
  });

describe('maintain', () => {
  it('packs few large objects as well as many small ones', async () => {
    repository = await emptyRepository();
    for (let n = 0; n < 3; n++) await writeBlob(repository, randomBytes(100_000));
    assert.equal((await maintain(repository, { looseBytes: 1_000_000 })).repacked, false);
    assert.equal((await maintain(repository, { looseBytes: 200_000 })).repacked, true);
  });

  it('counts the time out of reach from when it was noticed, not from when an object was written', async () => {
    repository = await emptyRepository();
    await commitNumber(1);
    const old = await writeBlob(repository, Buffer.from('old\n'));
    const path = join(repository.path, 'objects', old.slice(0, 2), old.slice(2));
    utimesSync(path, 1000, 1000);
    const present = () => git(repository, ['cat-file', '--batch-check'], `${old}\n`).endsWith('blob 4');
    await maintain(repository, { full: true, expireUnreachableMs: 60 * 60 * 1000 });
    assert(present());
    // As if that had been long ago.
    await maintain(repository, { full: true, expireUnreachableMs: -10_000 });
    assert(!present());
    assert.equal(
      (await maintain(repository, { full: true, expireUnreachableMs: 60 * 60 * 1000 })).repacked,
      false,
      'nothing has come since',
    );
    await commitNumber(2);
    assert.equal((await maintain(repository, { full: true, expireUnreachableMs: 60 * 60 * 1000 })).repacked, true);
    requireSound(repository);
  });
});

describe('sweepLeftovers', () => {
  it('removes old locks, quarantines and temporary files, and nothing else', async () => {
    repository = await emptyRepository();
    const commit = await commitNumber(1);
    const left = [
      'refs/heads/main.lock',
      'packed-refs.lock',
      'objects/tmp_objdir-incoming-x/ab/cd',
      'objects/17/tmp_obj_x',
      'objects/pack/tmp_pack_x',
    ];
    for (const name of left) {
      mkdirSync(join(repository.path, name, '..'), { recursive: true });
      writeFileSync(join(repository.path, name), '');
    }
    assert.equal(await sweepLeftovers(repository), 0);
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of [...left, 'objects/tmp_objdir-incoming-x', 'refs/heads/main']) utimesSync(join(repository.path, name), old, old);
    assert.equal(await sweepLeftovers(repository), left.length);
    for (const name of left) assert.equal(existsSync(join(repository.path, name)), false, name);
    await updateRef(repository, { name: 'refs/heads/main', to: null, from: commit });
  });

  it('clears away a push whose process was killed', async () => {
    repository = await emptyRepository();
    const child = spawn('git', ['receive-pack', '--stateless-rpc', '.'], {
      cwd: repository.path,
      env: gitEnvironment(),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0report-status`;
    child.stdin.on('error', () => {});
    child.stdin.write(`${(command.length + 4).toString(16).padStart(4, '0')}${command}0000PACK\0\0\0\x02\0\0\0\x05`);
    const quarantines = () => readdirSync(join(repository.path, 'objects')).filter((name) => name.startsWith('tmp_objdir-'));
    while (quarantines().length === 0) await sleep(5);
    child.kill('SIGKILL');
    await once(child, 'close');
    await sleep(20);
    assert.equal(await sweepLeftovers(repository, { before: Date.now() + 1000 }), 1);
    assert.deepEqual(quarantines(), []);
    requireSound(repository);
  });
});

describe('fsck', () => {
  it('finds what is missing', async () => {
    repository = await emptyRepository();
    await commitNumber(1);
    assert.deepEqual(await fsck(repository), { problems: [] });
    const blob = git(repository, ['rev-parse', 'main:dir/1.txt']);
    rmSync(join(repository.path, 'objects', blob.slice(0, 2), blob.slice(2)));
    const { problems } = await fsck(repository);
    assert.match(problems.join('\n'), new RegExp(`missing blob ${blob}`));
  });

  it('rejects when it is stopped, rather than calling the repository broken', async () => {
    await assert.rejects(fsck(repository, { signal: AbortSignal.abort() }));
  });
});
