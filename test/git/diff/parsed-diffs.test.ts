import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type DiffHunk, parseDiff } from '../../../src/git/diff/patch-text.ts';
import { holds, textOf } from '../../support/property.ts';
import { clientEnvironment, temporaryFolder } from '../writing.ts';

const folder = temporaryFolder();
for (const side of ['old', 'new']) mkdirSync(join(folder, side));

/** What git writes about a file with these contents. */
function diffOf(name: string, before: string, after: string): string {
  writeFileSync(join(folder, 'old', name), before);
  writeFileSync(join(folder, 'new', name), after);
  const args = ['diff', '--no-index', '--no-prefix', '-U1', `old/${name}`, `new/${name}`];
  return spawnSync('git', args, { cwd: folder, env: clientEnvironment(), encoding: 'utf8' }).stdout;
}

const linesOf = (text: string) => text.split('\n').slice(0, text.endsWith('\n') || text === '' ? -1 : undefined);

/** The lines of a text after hunks. */
function applied(lines: readonly string[], hunks: readonly DiffHunk[]): string[] {
  const result: string[] = [];
  let next = 1;
  for (const hunk of hunks) {
    // A hunk that removes nothing stands after the line that it names.
    const start = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart;
    result.push(...lines.slice(next - 1, start - 1));
    next = start + hunk.oldLines;
    for (const line of hunk.lines) {
      if (line.kind !== 'added') assert.equal(line.text, lines[(line.oldLine ?? 0) - 1]);
      if (line.kind !== 'removed') assert.equal(line.newLine, result.push(line.text));
    }
  }
  return [...result, ...lines.slice(next - 1)];
}

describe('a parsed diff', () => {
  it('makes the new text of the old one', () => {
    const text = textOf(['a\n', 'b\n', '\n', '-\n', '+x\n', '@@ -1 +1 @@\n', '--- a\n', 'a', ' \n'], 12);
    const property = fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const [file] = parseDiff(diffOf('file', before, after)).files;
      assert.ok(file);
      assert.deepEqual(applied(linesOf(before), file.hunks), linesOf(after));
      const last = file.hunks.at(-1)?.lines.findLast(({ kind }) => kind !== 'removed');
      if (last?.newLine === linesOf(after).length) assert.equal(last.noNewline, !after.endsWith('\n'));
    });
    holds(property, 100);
  });

  it('has the names of the files, whatever git quotes in them', () => {
    const name = textOf(['a', ' ', '"', '\\', '\t', '\n', 'é', '->', ' b/', '😀'], 5).map((text) => `x${text.replaceAll('/', '')}`);
    const property = fc.property(name, (file) => {
      const [found] = parseDiff(diffOf(file, 'a\n', 'b\n')).files;
      // The first part is the side, as git's prefixes are.
      assert.deepEqual([found?.oldPath, found?.newPath], [file, file]);
    });
    holds(property, 60);
  });
});
