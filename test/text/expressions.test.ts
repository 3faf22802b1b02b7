import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { trimEnd } from '../../src/text/trim-end.ts';

// On SQLite alone: no database is asked.

const SOURCES = join(import.meta.dirname, '../../src');

/** `/x+$/` and `/^x+|x+$/g`, where x is one character or a class of some: the square of a run that ends elsewhere. */
const TRAILING = /\/(?:\^[^\n|]{1,60}\|)?(?:\\[^\n]|[^\\\n/[\]()*+]|\[[^\]\n]*\])[*+]\$\/[a-z]*[,).]/;
/** `/x.*$/` without the flag `s`: the square where many x stand before a line end. */
const TO_THE_END = /\/[^/\n*+]*\.\*\$\/[a-rt-z]*,/;

describe('expressions that take the square of the time', () => {
  it('are found by their form', () => {
    for (const bad of ['x.replace(/\\/+$/, y)', "x.replace(/^'+|'+$/g, y)", '/[\\t ]*$/.exec(x)', 'split(/\\s+$/)'])
      assert.match(bad, TRAILING);
    for (const good of ['x.replace(/^a+$/, y)', '/(?:a|b)+$/.test(x)', '/\\.[^./]*$/.exec(x)']) assert.doesNotMatch(good, TRAILING);
    assert.match('x.replace(/#.*$/, y)', TO_THE_END);
    assert.doesNotMatch('x.replace(/#.*$/s, y)', TO_THE_END);
  });

  it('are not used where something simple does the same', () => {
    const found: string[] = [];
    for (const name of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      for (const [at, line] of readFileSync(join(SOURCES, name), 'utf8').split('\n').entries())
        if (TRAILING.test(line) || TO_THE_END.test(line)) found.push(`${name}:${at + 1} ${line.trim()}`);
    }
    assert.deepEqual(found, [], 'use trimEnd, or the flag s');
  });
});

describe('trimEnd', () => {
  it('removes some characters from the end alone', () => {
    assert.equal(trimEnd('/a/b//', '/'), '/a/b');
    assert.equal(trimEnd('a \t\r\n ', ' \t\r\n'), 'a');
    assert.equal(trimEnd('a]', '[]'), 'a');
    assert.equal(trimEnd('//', '/'), '');
    assert.equal(trimEnd('', '/'), '');
    assert.equal(trimEnd('aé', '\u0301'), 'aé');
  });
});
