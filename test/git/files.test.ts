import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { hunkAround, unchangedHunk } from '../../src/git/diff/hunks.ts';
import { parseDiff } from '../../src/git/diff/patch-text.ts';
import { readNote } from '../../src/git/history/notes.ts';
import { GitPool } from '../../src/git/objects/objects.ts';
import { parseSubmodules, readSubmodules } from '../../src/git/trees/gitmodules.ts';
import { formatLfsPointer, parseLfsPointer } from '../../src/git/trees/lfs-pointer.ts';
import { createFixture } from './fixture.ts';

const pool = new GitPool();
after(() => pool.close());

describe('notes', () => {
  it('are found in one folder and in many', async () => {
    await using fixture = await createFixture(Array.from({ length: 300 }, (_, i) => ({ label: `${i}`, files: { a: `${i}` } })));
    const { git, repository } = fixture;
    assert.equal(await readNote(repository, pool, fixture.id('0')), undefined);
    await git(['notes', 'add', '-m', 'A note\nof two lines', fixture.id('0')]);
    const note = await readNote(repository, pool, fixture.id('0'));
    assert.equal(note?.message, 'A note\nof two lines\n');
    assert.equal(note?.commit.oid, await git(['rev-parse', 'refs/notes/commits']));
    assert.equal(await readNote(repository, pool, fixture.id('1')), undefined);
    assert.equal(await readNote(repository, pool, '../../x'), undefined);
    const input = Array.from({ length: 300 }, (_, i) => `N inline ${fixture.id(`${i}`)}\ndata 2\n${i % 10}\n`).join('');
    const header = 'commit refs/notes/commits\ncommitter A <a@b> 1700100000 +0000\ndata 1\nx\nfrom refs/notes/commits^0\n';
    await git(['fast-import', '--quiet'], { input: header + input });
    assert.match(await git(['ls-tree', 'refs/notes/commits']), /^040000 tree/);
    assert.equal((await readNote(repository, pool, fixture.id('123')))?.message, '3\n');
  });
});

describe('submodules', () => {
  it('are read as git reads them', async () => {
    const gitmodules = [
      '# comment',
      '[submodule "one"]',
      '\tpath = libs/one ; comment',
      '\turl = "https://example.com/a#b.git"  # comment',
      '[submodule "with \\"quotes\\""]',
      '  PATH=two words',
      '  url = ../two\\\n.git',
      '  branch = dev',
      '[other]',
      '  path = no',
      '[submodule "half"]',
      '  path = half',
    ]
      .join('\r\n')
      .replace('\\\r\n.git', '\\\n.git');
    await using fixture = await createFixture([{ files: { '.gitmodules': gitmodules } }, { branch: 'none', files: { a: '1' } }]);
    const tree = await fixture.git(['rev-parse', 'main^{tree}']);
    const found = await readSubmodules(fixture.repository, pool, tree);
    assert.deepEqual(
      [...found.values()],
      [
        { name: 'one', path: 'libs/one', url: 'https://example.com/a#b.git', branch: undefined },
        { name: 'with "quotes"', path: 'two words', url: '../two.git', branch: 'dev' },
      ],
    );
    assert.equal((await readSubmodules(fixture.repository, pool, await fixture.git(['rev-parse', 'none^{tree}']))).size, 0);
    assert.equal(parseSubmodules('path = x\nurl = y').size, 0);
  });
});

describe('LFS pointers', () => {
  const pointer = { oid: 'ab'.repeat(32), size: 1234 };
  it('are read and written', () => {
    assert.deepEqual(parseLfsPointer(Buffer.from(formatLfsPointer(pointer))), pointer);
    assert.deepEqual(parseLfsPointer(Buffer.from(formatLfsPointer(pointer).replace('oid', 'ext-0-x sha256:1\noid'))), pointer);
    assert.deepEqual(parseLfsPointer(Buffer.from(formatLfsPointer(pointer).replaceAll('\n', '\r\n'))), pointer);
  });
  it('are nothing else', () => {
    const text = formatLfsPointer(pointer);
    for (const wrong of [
      '',
      'version 1',
      text.replace('v1', 'v2'),
      text.replace('ab', 'AB'),
      text.replace('1234', '-1'),
      text.replace(/size.*/, ''),
      text + 'x'.repeat(1024),
    ]) {
      assert.equal(parseLfsPointer(Buffer.from(wrong)), undefined);
    }
  });
});

describe('texts of differences', () => {
  it('are read with their line numbers', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'ü "q"': 'x', gone: '-- x\n', bin: Buffer.from([0]), mode: 'm' } },
      {
        label: 'two',
        files: {
          a: '1\nB\n3\n4\n5\n6\n7\n8\n9\nten',
          'ü "q"': 'y',
          gone: null,
          bin: Buffer.from([0, 1]),
          moved: '',
          mode: { mode: '100755', content: 'm' },
        },
      },
    ]);
    const text = await fixture.git(['diff', '-M', fixture.id('one'), fixture.id('two')]);
    const { files, more } = parseDiff(text);
    assert.equal(more, false);
    assert.deepEqual(
      files.map(({ oldPath, newPath, binary }) => [oldPath, newPath, binary]),
      [
        ['a', 'a', false],
        ['bin', 'bin', true],
        ['gone', undefined, false],
        ['mode', 'mode', false],
        [undefined, 'moved', false],
        ['ü "q"', 'ü "q"', false],
      ],
    );
    const [a, , gone] = files;
    assert.deepEqual(a?.hunks[0]?.lines.slice(0, 3), [
      { kind: 'context', text: '1', oldLine: 1, newLine: 1, noNewline: false },
      { kind: 'removed', text: '2', oldLine: 2, newLine: undefined, noNewline: false },
      { kind: 'added', text: 'B', oldLine: undefined, newLine: 2, noNewline: false },
    ]);
    assert.deepEqual(a?.hunks.at(-1)?.lines.at(-1), { kind: 'added', text: 'ten', oldLine: undefined, newLine: 10, noNewline: true });
    assert.equal(gone?.hunks[0]?.lines[0]?.text, '-- x');
    assert.deepEqual(parseDiff(text, { maxFiles: 2 }).more, true);
    const bounded = parseDiff(text, { maxLines: 2, maxLineLength: 0 }).files[0];
    assert.equal(bounded?.truncated, true);
    assert.deepEqual(
      bounded?.hunks.flatMap(({ lines }) => lines.map((line) => line.text)),
      ['', ''],
    );
    assert.deepEqual(parseDiff('').files, []);
  });

  it('are cut around a line', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
    const changed = lines.map((line, i) => (i === 9 ? 'LINE TEN' : line));
    await using fixture = await createFixture([
      { label: 'one', files: { a: `${lines.join('\n')}\n` } },
      { label: 'two', files: { a: `${changed.join('\n')}\n`, b: 'new\n' } },
    ]);
    const diff = (path: string) => fixture.git(['diff', fixture.id('one'), fixture.id('two'), '--', path]);
    const a = await diff('a');
    assert.equal(hunkAround(a, 10, 'old', 4), '@@ -7,7 +7,7 @@ line 6\n line 7\n line 8\n line 9\n-line 10');
    assert.equal(hunkAround(a, 10, 'new', 4), '@@ -8,3 +8,3 @@\n line 8\n line 9\n-line 10\n+LINE TEN');
    assert.equal(hunkAround(a, 12, 'new', 4), '@@ -10,3 +10,3 @@\n-line 10\n+LINE TEN\n line 11\n line 12');
    assert.equal(hunkAround(a, 10, 'new', 1), '@@ -11,0 +10,1 @@\n+LINE TEN');
    assert.equal(hunkAround(await diff('b'), 1, 'new', 4), '@@ -0,0 +1 @@\n+new');
    assert.equal(hunkAround(a, 20, 'new', 4), undefined);
    assert.equal(hunkAround('', 1, 'new', 4), undefined);
    assert.equal(unchangedHunk('1\n2\r\n3\n4\n', 3, 1), '@@ -2,2 +2,2 @@\n 2\n 3');
    assert.equal(unchangedHunk('1\n', 1, 4), '@@ -1,1 +1,1 @@\n 1');
    const long = 'x'.repeat(1_000_000);
    assert.equal(unchangedHunk(`${long}\n2\n`, 2, 1), `@@ -1,2 +1,2 @@\n ${long.slice(0, 4999)}\n 2`);
    assert.equal(unchangedHunk(`${'x'.repeat(4998)}\u{1f600}x\n`, 1, 0), `@@ -1,1 +1,1 @@\n ${'x'.repeat(4998)}`);
    const added = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,400 @@\n${`+${long.slice(0, 3000)}\n`.repeat(400)}`;
    const whole = hunkAround(added, 400, 'new', 400)?.split('\n') ?? [];
    assert.deepEqual([whole.length, whole.slice(1).every((line) => line === `+${long.slice(0, 162)}`)], [401, true]);
    assert.equal(unchangedHunk('1\n', 2, 4), undefined);
  });
});
