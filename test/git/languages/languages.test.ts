import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isGenerated } from '../../../src/git/languages/generated-files.ts';
import { detectLanguage } from '../../../src/git/languages/language-detection.ts';
import { countLanguages } from '../../../src/git/languages/languages.ts';
import { fromRuby, linguistData } from '../../../src/git/languages/linguist-data.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { attributeLookup, readAttributes } from '../../../src/git/trees/attributes.ts';
import { readTreeRecursive } from '../../../src/git/trees/tree-listing.ts';
import { WorkerPool } from '../../../src/workers/pool.ts';
import { createFixture } from '../fixture.ts';

const pool = new GitPool();
const workers = new WorkerPool();
after(() => Promise.all([pool.close(), workers.close()]));

describe('attributes', () => {
  it('come from the nearest folder and the last line', async () => {
    await using fixture = await createFixture([
      {
        files: {
          '.gitattributes':
            '# comment\n[attr]mine text -diff own=1\n*.c mine\n*.h text=auto\n"with space.c" -text\n*.bin binary\n!*.x bad\n',
          'sub/.gitattributes': '*.c !own diff\n/top.c deep\n',
        },
      },
    ]);
    const tree = await fixture.git(['rev-parse', 'main^{tree}']);
    const listing = await readTreeRecursive(fixture.repository, pool, tree);
    const lookUp = attributeLookup(await readAttributes(fixture.repository, pool, listing?.entries ?? []));
    const of = (path: string) => Object.fromEntries(lookUp(path));
    assert.deepEqual(of('a.c'), { mine: true, text: true, diff: false, own: '1' });
    assert.deepEqual(of('sub/a.c'), { mine: true, text: true, diff: true });
    assert.equal(of('sub/top.c').deep, true);
    assert.equal(of('sub/x/top.c').deep, undefined);
    assert.deepEqual(of('x.h'), { text: 'auto' });
    assert.equal(of('with space.c').text, false);
    assert.deepEqual(of('x.bin'), { binary: true, diff: false, merge: false, text: false });
    assert.deepEqual(of('x.x'), {});
  });
});

describe('detection', () => {
  const detect = (path: string, content = '') => detectLanguage(path, Buffer.from(content));

  it('knows all rules of the data', () => {
    const { heuristics, languages } = linguistData();
    assert.ok(heuristics.size > 100);
    for (const rules of heuristics.values()) {
      for (const rule of rules) {
        assert.equal(typeof rule.matches(''), 'boolean');
        for (const name of rule.languages) assert.ok(languages.has(name), name);
      }
    }
    assert.equal(fromRuby('(?i)abc').test('xABC'), true);
    assert.equal(fromRuby('(?:a(?i)b)c').test('aBc'), true);
    assert.equal(fromRuby('(?:a(?i)b)c').test('aBC'), false);
    assert.equal(fromRuby('\\Ab').test('a\nb'), false);
    assert.equal(fromRuby('(?xi) a # comment\n b').test('AB'), true);
  });

  it('decides by name', () => {
    assert.equal(detect('main.go'), 'Go');
    assert.equal(detect('x/Dockerfile'), 'Dockerfile');
    assert.equal(detect('Makefile'), 'Makefile');
    assert.equal(detect('a.unknown'), undefined);
    assert.equal(detect('A.PY'), 'Python');
  });

  it('decides by content if the name is ambiguous', () => {
    assert.equal(detect('a.ts', 'export const a: number = 1;\n'), 'TypeScript');
    assert.equal(detect('a.ts', '<?xml version="1.0"?>\n<TS version="2.1">\n'), 'XML');
    assert.equal(detect('a.h', '#include <vector>\nclass A {\npublic:\n};\n'), 'C++');
    assert.equal(detect('a.h', '@interface Foo : NSObject\n@end\n'), 'Objective-C');
    assert.equal(detect('a.h', 'int f(void);\n'), 'C');
    assert.equal(detect('a.rs', 'fn main() {\n  println!("x");\n}\n'), 'Rust');
    assert.equal(detect('a.md', '# Title\n'), 'Markdown');
    assert.equal(detect('a.cs', 'using System;\nnamespace A { }\n'), 'C#');
    assert.equal(detect('a.pl', 'use strict;\nmy $x = 1;\n'), 'Perl');
    assert.equal(detect('script', '#!/usr/bin/env python3\n'), 'Python');
    assert.equal(detect('script', '#!/bin/bash -e\n'), 'Shell');
    assert.equal(detect('script', '#!/usr/bin/env -S node --x\n'), 'JavaScript');
    assert.equal(detect('x', '# -*- mode: ruby -*-\n'), 'Ruby');
    assert.equal(detect('x', '// vim: set ft=rust :\n'), 'Rust');
    assert.equal(detect('x.ts', 'a\0b'), undefined);
  });

  it('gives up on content that is made to take long', () => {
    const before = process.cpuUsage();
    for (const extension of linguistData().heuristics.keys()) {
      for (const piece of ['a ', ' ', '<', '"a', '(', '\t\n', '@{', 'A:'])
        detect(`x${extension}`, piece.repeat(Math.floor(2_048 / piece.length)));
      const { user } = process.cpuUsage(before);
      if (user > 20_000_000) assert.fail(extension);
    }
  });

  it('knows what tools have written', () => {
    const generated = (path: string, content = '') => isGenerated(path, Buffer.from(content));
    assert.equal(generated('package-lock.json'), true);
    assert.equal(generated('x/Cargo.lock'), true);
    assert.equal(generated('a.go', 'package a\n'), false);
    assert.equal(generated('a.go', '// Code generated by x. DO NOT EDIT.\npackage a\n'), true);
    assert.equal(generated('a.js', `${'x'.repeat(500)}\n`), true);
    assert.equal(generated('a.js', 'let a;\n'.repeat(50)), false);
    assert.equal(generated('a.js.map', '{}'), true);
  });
});

describe('languages of a repository', () => {
  it('are counted by bytes, without what is not its own', async () => {
    await using fixture = await createFixture([
      {
        label: 'one',
        files: {
          'main.go': 'package main\n\nfunc main() {}\n',
          'README.md': '# demo\n',
          'web/app.js': 'console.log(1);\n',
          'web/app.css': 'a { color: red }\n',
          'web/app.scss': 'a {}\n',
          'web/app.tsx': 'export default () => <a/>;\n',
          'vendor/lib.rb': 'puts 1\n',
          'docs/x.rs': 'fn x() {}\n',
          'data.json': '{}',
          'empty.py': '',
          '.hidden.py': 'x',
          link: { mode: '120000', content: 'main.go' },
        },
      },
      {
        label: 'two',
        files: {
          '.gitattributes':
            '*.js linguist-language=ruby\nmain.go linguist-vendored\nvendor/** linguist-vendored=false\n*.json linguist-detectable\n',
        },
      },
      {
        label: 'three',
        files: {
          '.gitattributes':
            '*.js gitlab-language=Python?x=1\ndocs/** -linguist-documentation\n*.css linguist-generated\n*.scss -linguist-detectable\n',
        },
      },
    ]);
    const count = async (label: string) =>
      Object.fromEntries(
        (await countLanguages(fixture.repository, { pool, workers }, fixture.id(label))).map(({ language, bytes }) => [language, bytes]),
      );
    assert.deepEqual(Object.entries(await count('one')), [
      ['Go', 29],
      ['TypeScript', 27],
      ['CSS', 17],
      ['JavaScript', 16],
      ['SCSS', 5],
    ]);
    assert.deepEqual(await count('two'), { TypeScript: 27, Ruby: 23, CSS: 17, SCSS: 5, JSON: 2 });
    assert.deepEqual(await count('three'), { Go: 29, TypeScript: 27, Python: 16, Rust: 10 });
    assert.deepEqual(await countLanguages(fixture.repository, { pool, workers }, 'f'.repeat(40)), []);
    await assert.rejects(countLanguages(fixture.repository, { pool, workers }, fixture.id('one'), AbortSignal.abort()));
  });

  it('show another language where there is no other', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { 'notes.txt': 'hello\n', 'b.txt': 'x', 'c.csv': 'a,b,c,d,e' } }]);
    assert.deepEqual(await countLanguages(fixture.repository, { pool, workers }, fixture.id('one')), [{ language: 'Text', bytes: 7 }]);
  });

  it('are counted without holding the thread, whatever the files and rules are made of', async () => {
    const files: Record<string, string> = { 'main.c': 'int main;\n' };
    files['.gitattributes'] = Array.from({ length: 500 }, (_, i) => `*${'a?'.repeat(900)}${i} linguist-vendored\n`).join('');
    for (let i = 0; i < 12; i++) files[`${i}.bf`] = `${i}${' \n'.repeat(8000)}`;
    for (let i = 0; i < 20; i++) files[`${'a'.repeat(240)}/${i}/${'a'.repeat(240)}/x.c`] = 'int x;\n';
    await using fixture = await createFixture([{ files, label: 'one' }]);
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const counting = countLanguages(fixture.repository, { pool, workers }, fixture.id('one'));
    const sizes = await counting.finally(() => clearInterval(timer));
    assert.equal(sizes.find(({ language }) => language === 'C')?.bytes, 10 + 20 * 7);
    assert.ok(longest < 2000, `${longest} ms`);
  });
});
