// On SQLite alone: no database is involved.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markRanges } from '../../../src/web/code/diff/mark.ts';
import { piecesOf } from '../../../src/web/code/diff/pieces.ts';
import { changedWords } from '../../../src/web/code/diff/words.ts';
import { highlightLines } from '../../../src/web/code/source/highlight-lines.ts';

describe('words that differ', () => {
  it('are marked on both sides, together where only white space parts them', () => {
    assert.deepEqual(changedWords('const a = 1;', 'const b = 1;'), { removed: [[6, 7]], added: [[6, 7]] });
    assert.deepEqual(changedWords('const x = call(one two)', 'const x = call(three four five)').added, [[15, 30]]);
    assert.deepEqual(changedWords('  indented();', '    indented();'), { removed: [[0, 2]], added: [[0, 4]] });
  });

  it('are not marked where nearly everything differs, nor in very long lines', () => {
    assert.deepEqual(changedWords('alpha beta gamma', 'one: {two}').removed, []);
    assert.deepEqual(changedWords('a'.repeat(3000), 'b').added, []);
  });

  it('are marked within the spans of the highlighter, references counting as one character', () => {
    assert.equal(markRanges('a&lt;b', [[1, 2]]), 'a<span class="w">&lt;</span>b');
    assert.equal(
      markRanges('<span class="k">ab</span>c', [[1, 3]]),
      '<span class="k">a<span class="w">b</span></span><span class="w">c</span>',
    );
  });
});

describe('pieces of a patch', () => {
  it('are whole files, however the stream is cut', async () => {
    const file = (name: string) =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${'x'.repeat(150_000)}\n+y\n`;
    const patch = Buffer.from(file('a') + file('b') + file('c'));
    for (const size of [7, 150_003, 1_000_000]) {
      const pieces: string[] = [];
      const chunks = async function* () {
        for (let at = 0; at < patch.length; at += size) yield patch.subarray(at, at + size);
      };
      for await (const piece of piecesOf(chunks())) pieces.push(piece.toString());
      assert.equal(pieces.join('').trimStart(), patch.toString(), String(size));
      for (const piece of pieces) assert.match(piece.trimStart(), /^diff --git/);
      assert.ok(pieces.length > 1);
    }
  });
});

describe('highlighted lines', () => {
  it('are whole each, although a comment goes over several', () => {
    const lines = highlightLines('/* one\ntwo */ <b>', 'javascript', 1000).split('\n');
    assert.deepEqual(lines, ['<span class="c">/* one</span>', '<span class="c">two */</span> &lt;b&gt;']);
    assert.equal(highlightLines('<b>', 'no-such-language', 1000), '&lt;b&gt;');
  });
});
