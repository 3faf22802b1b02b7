import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { InvalidSignatureError, parseRfc3339 } from '../../../src/git/objects/format-identity.ts';
import { InvalidObjectError, newBlob, newObject, newTree, writeCommit, writeObjects } from '../../../src/git/objects/write-objects.ts';
import { OBJECT_FORMATS } from '../../../src/git/repository.ts';
import { writeBlob, writeTag, writeTree } from '../new-objects.ts';
import { ALICE, emptyRepository, git, requireSound } from '../writing.ts';

describe('writeObjects', () => {
  for (const format of OBJECT_FORMATS)
    it(`writes what git writes, in ${format}`, async () => {
      const repository = await emptyRepository(format);
      const blob = await writeBlob(repository, Buffer.from('hello\n'));
      assert.equal(blob, git(repository, ['hash-object', '--stdin'], 'hello\n'));
      const names = ['a', 'a.b', 'a-b', 'ab', 'ä'];
      const folder = await writeTree(repository, [{ mode: '100755', name: 'run', oid: blob }]);
      const entries = names.map((name) => ({
        mode: name === 'a' ? ('040000' as const) : ('100644' as const),
        name: Buffer.from(name).toString('latin1'),
        oid: name === 'a' ? folder : blob,
      }));
      const tree = await writeTree(repository, entries);
      const lines = names.map((name) => (name === 'a' ? `040000 tree ${folder}\t${name}` : `100644 blob ${blob}\t${name}`));
      assert.equal(tree, git(repository, ['mktree'], `${lines.join('\n')}\n`));
      const commit = await writeCommit(repository, { tree, parents: [], author: ALICE, committer: ALICE, message: 'One\n' });
      assert.equal(commit, git(repository, ['commit-tree', tree], 'One\n'));
      const tag = await writeTag(repository, { target: commit, targetType: 'commit', name: 'v1', tagger: ALICE, message: 'First' });
      git(repository, ['tag', '-a', '-m', 'First', 'v1', commit]);
      assert.equal(tag, git(repository, ['rev-parse', 'v1']));
      requireSound(repository);
      assert.deepEqual(
        readdirSync(join(repository.path, 'objects'), { recursive: true }).filter((name) => String(name).includes('tmp_obj')),
        [],
      );
    });

  it('writes large content piece by piece', async () => {
    const repository = await emptyRepository();
    const content = Buffer.from(Array.from({ length: 2_500_001 }, (_, at) => (at * 31) % 253));
    const blob = await newBlob('sha1', content);
    assert.equal(blob.oid, newObject('sha1', 'blob', content).oid);
    await writeObjects(repository, [blob]);
    requireSound(repository);
    assert.equal(git(repository, ['cat-file', '-s', blob.oid]), String(content.length));
  });

  it('writes the same object at once from many hands', async () => {
    const repository = await emptyRepository();
    const content = Buffer.alloc(100_000, 'x');
    assert.equal(new Set(await Promise.all(Array.from({ length: 8 }, () => writeBlob(repository, content)))).size, 1);
    requireSound(repository);
  });

  it('does not bring back a repository that was removed', async () => {
    await assert.rejects(writeBlob({ path: '/nonexistent/repository.git', objectFormat: 'sha1' }, Buffer.from('x')), { code: 'ENOENT' });
  });

  it('puts a signature where git looks for it', async () => {
    const repository = await emptyRepository();
    const tree = await writeTree(repository, []);
    const seen: string[] = [];
    const sign = async (payload: Buffer) => {
      seen.push(payload.toString());
      return '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n';
    };
    const commit = await writeCommit(repository, { tree, parents: [], author: ALICE, committer: ALICE, message: 'One\n' }, sign);
    assert.match(
      git(repository, ['cat-file', 'commit', commit]),
      /\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\nOne$/,
    );
    assert.equal(seen[0], `${git(repository, ['cat-file', 'commit', commit]).replace(/gpgsig .*?(?=\n\n)\n/s, '')}\n`);
    requireSound(repository);
  });

  it('keeps line ends and brackets out of identities', async () => {
    const repository = await emptyRepository();
    const tree = await writeTree(repository, []);
    const author = { ...ALICE, name: ' Al\nice <x>.', email: 'a>\nb@example.com', offset: -150 };
    const commit = await writeCommit(repository, { tree, parents: [], author, committer: ALICE, message: '' });
    assert.match(git(repository, ['cat-file', 'commit', commit]), /\nauthor Alice x <ab@example\.com> 1704110400 -0230\n/);
    requireSound(repository);
  });

  it('refuses what cannot be in an object', async () => {
    const repository = await emptyRepository();
    const parts = { tree: await writeTree(repository, []), parents: [], author: ALICE, committer: ALICE, message: 'x' };
    await assert.rejects(writeCommit(repository, { ...parts, message: 'a\0b' }), InvalidObjectError);
    await assert.rejects(writeCommit(repository, { ...parts, parents: ['main'] }), InvalidObjectError);
    await assert.rejects(writeCommit(repository, { ...parts, author: { ...ALICE, name: '<>' } }), InvalidSignatureError);
    await assert.rejects(writeCommit(repository, { ...parts, author: { ...ALICE, seconds: -1 } }), InvalidSignatureError);
    const oid = parts.tree;
    for (const name of ['', '.', '..', 'a/b', 'a\0b'])
      assert.throws(() => newTree('sha1', [{ mode: '100644', name, oid }]), InvalidObjectError);
    const twice = { mode: '100644' as const, name: 'a', oid };
    assert.throws(() => newTree('sha1', [twice, twice]), InvalidObjectError);
  });
});

describe('parseRfc3339', () => {
  it('keeps the time zone', () => {
    assert.deepEqual(parseRfc3339('2024-02-02T11:00:00+01:30'), { seconds: 1_706_866_200, offset: 90 });
    assert.deepEqual(parseRfc3339('2024-02-02T11:00:00.5-05:00'), { seconds: 1_706_889_600, offset: -300 });
    for (const text of ['2024-02-02', '2024-02-30T25:00:00Z', 'now', '2024-02-02T11:00:00']) assert.equal(parseRfc3339(text), undefined);
  });
});
