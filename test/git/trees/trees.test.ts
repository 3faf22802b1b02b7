import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { emptyTreeId } from '../../../src/git/repository.ts';
import { readTreeRecursive, readTreeRecursiveSized } from '../../../src/git/trees/tree-listing.ts';
import { blobSizes, findEntries, findEntry, readTree, splitPath, treeEntries } from '../../../src/git/trees/trees.ts';
import { createFixture } from '../fixture.ts';

const pool = new GitPool();
after(() => pool.close());

describe('trees', () => {
  for (const objectFormat of ['sha1', 'sha256'] as const) {
    it(`lists like git does (${objectFormat})`, async () => {
      const submodule = { mode: '160000', content: 'c'.repeat(objectFormat === 'sha1' ? 40 : 64) } as const;
      const files = {
        'b.txt': 'b',
        'b/c/d.txt': 'deep',
        'b/link': { mode: '120000', content: '../b.txt' } as const,
        'run.sh': { mode: '100755', content: '#!' } as const,
        sub: submodule,
        'ä ö.txt': 'umlaut',
      };
      await using fixture = await createFixture([{ files }], { objectFormat });
      const { repository } = fixture;
      const tree = await fixture.git(['rev-parse', 'main^{tree}']);
      const format = (path: string, { mode, type, oid }: { mode: string; type: string; oid: string }) => `${mode} ${type} ${oid}\t${path}`;
      const flat = (await readTree(repository, pool, tree))?.map((entry) => format(entry.name, entry));
      assert.deepEqual(flat, (await fixture.git(['ls-tree', '-z', 'main'])).split('\0').slice(0, -1));
      const deep = await readTreeRecursive(repository, pool, tree);
      const expected = (await fixture.git(['ls-tree', '-z', '-r', '-t', 'main'])).split('\0').slice(0, -1);
      assert.deepEqual(
        deep?.entries.map((entry) => format(entry.path, entry)),
        expected,
      );
      assert.equal(deep?.truncated, false);
      const sizes = await blobSizes(repository, pool, deep?.entries ?? []);
      const whole = await readTreeRecursiveSized(repository, pool, tree);
      assert.deepEqual(
        whole?.entries,
        deep?.entries.map((entry) => ({ ...entry, size: sizes.get(entry.oid) })),
      );
      const sized = deep?.entries.map(({ path, oid }) => [path, sizes.get(oid)]);
      assert.deepEqual(sized, [
        ['b.txt', 1],
        ['b', undefined],
        ['b/c', undefined],
        ['b/c/d.txt', 4],
        ['b/link', 8],
        ['run.sh', 2],
        ['sub', undefined],
        ['ä ö.txt', 6],
      ]);
    });
  }

  it('finds and lists entries of a tree of megabytes', async () => {
    await using fixture = await createFixture([{ files: { 'a.txt': 'x' } }]);
    const { repository } = fixture;
    const blob = await fixture.git(['rev-parse', 'main:a.txt']);
    const names = Array.from({ length: 30_000 }, (_, i) => `${String(i).padStart(6, '0')} ä`);
    const lines = [...names.map((name) => `100644 blob ${blob}\t${name}`), `100755 blob ${blob}\tz`].join('\n');
    const tree = execFileSync('git', ['mktree'], { cwd: repository.path, input: `${lines}\n` })
      .toString()
      .trim();
    for (const name of [names[0], names[20_000], names.at(-1)])
      assert.deepEqual(await findEntry(repository, pool, tree, name ?? ''), { name, mode: '100644', type: 'blob', oid: blob });
    assert.equal((await findEntry(repository, pool, tree, 'z'))?.mode, '100755');
    for (const name of ['y', '000000 a', '000000', 'z/z', '\ufffd']) assert.equal(await findEntry(repository, pool, tree, name), undefined);
    const found = await findEntries(repository, pool, tree, ['z', 'y', names[5] ?? '']);
    assert.deepEqual([...found.keys()], [names[5], 'z']);
    assert.deepEqual((await readTree(repository, pool, tree))?.length, 30_001);
    // Others are served while hundreds are looked for.
    let turns = 0;
    const serve = () => {
      turns++;
      waiting = setImmediate(serve);
    };
    let waiting = setImmediate(serve);
    await Promise.all(Array.from({ length: 300 }, () => findEntry(repository, pool, tree, 'z')));
    clearImmediate(waiting);
    assert.ok(turns > 2, `${turns}`);
  });

  it('finds entries by path, and nothing by what is not a path', async () => {
    await using fixture = await createFixture([{ files: { 'a/b.txt': 'x', sub: { mode: '160000', content: 'c'.repeat(40) } } }]);
    const tree = await fixture.git(['rev-parse', 'main^{tree}']);
    const find = async (path: string) => (await findEntry(fixture.repository, pool, tree, path))?.type;
    assert.equal(await find(''), 'tree');
    assert.equal(await find('a'), 'tree');
    assert.equal(await find('a/b.txt'), 'blob');
    assert.equal(await find('sub'), 'commit');
    for (const path of ['a/', '/a', 'a//b.txt', './a', 'a/../a', '..', 'a/b.txt/c', 'sub/x', 'missing', 'a\0'])
      assert.equal(await find(path), undefined, path);
    assert.deepEqual(splitPath('a/b'), ['a', 'b']);
    assert.equal(splitPath('a/../b'), undefined);
  });

  it('stops at the bound', async () => {
    await using fixture = await createFixture([{ files: { 'a/1': '1', 'a/2': '2', 'b/1': '1', c: '3' } }]);
    const tree = await fixture.git(['rev-parse', 'main^{tree}']);
    const listing = await readTreeRecursive(fixture.repository, pool, tree, 4);
    assert.deepEqual(
      listing?.entries.map(({ path }) => path),
      ['a', 'a/1', 'a/2', 'b'],
    );
    assert.equal(listing?.truncated, true);
    assert.equal((await readTreeRecursive(fixture.repository, pool, tree, 6))?.truncated, false);
  });

  it('does not unfold a tree that holds itself many times over', async () => {
    await using fixture = await createFixture([{ files: { a: 'x' } }]);
    let tree = await fixture.git(['rev-parse', 'main^{tree}']);
    for (let level = 0; level < 12; level++) {
      const input = Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\t${i}\n`).join('');
      tree = await fixture.git(['mktree'], { input });
    }
    const listing = await readTreeRecursive(fixture.repository, pool, tree, 1000);
    assert.equal(listing?.entries.length, 1000);
    assert.equal(listing?.truncated, true);
  });

  it('knows the empty tree, and no tree where there is none', async () => {
    await using fixture = await createFixture([{ files: { a: 'x' } }]);
    assert.deepEqual(await readTree(fixture.repository, pool, emptyTreeId('sha1')), []);
    assert.equal(await readTree(fixture.repository, pool, await fixture.git(['rev-parse', 'main:a'])), undefined);
    assert.equal(await readTreeRecursive(fixture.repository, pool, 'f'.repeat(40)), undefined);
  });

  it('reads old modes and names that are not UTF-8', () => {
    const id = Buffer.alloc(20, 1);
    const data = Buffer.concat([
      Buffer.from('100664 a\0'),
      id,
      Buffer.from('40000 d\0'),
      id,
      Buffer.from([0x31, 0x30, 0x30, 0x37, 0x35, 0x35, 0x20, 0xff, 0]),
      id,
    ]);
    assert.deepEqual(
      [...treeEntries({ data }, 20)].map(({ mode, name }) => [mode, name]),
      [
        ['100644', 'a'],
        ['040000', 'd'],
        ['100755', '\ufffd'],
      ],
    );
    assert.deepEqual([...treeEntries({ data: data.subarray(0, 20) }, 20)], []);
  });
});
