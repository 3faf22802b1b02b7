import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAttributes } from '../../../src/git/trees/attributes.ts';
import { matchesName, matchesPath } from '../../../src/git/trees/glob.ts';
import { processorTime } from '../../support/processor-time.ts';
import { createFixture } from '../fixture.ts';

describe('patterns of paths', () => {
  it('match as git matches them', async () => {
    await using fixture = await createFixture();
    const paths = [
      'a.js',
      'src/a.js',
      'src/deep/er/a.js',
      'src/[x].js',
      'src/b.txt',
      'a*b',
      'é.js',
      'src/.js',
      'ab',
      'b/src/a.js',
      '[a',
      'a[',
      'src/[',
    ];
    const patterns = [
      '*.js',
      '/*.js',
      'src/*.js',
      'src/**',
      '**/a.js',
      'src/**/a.js',
      '**',
      '*',
      '[ab]*',
      '[!a]*',
      'src/[[]x].js',
      'a\\*b',
      '?.js',
      '[a-c].js',
      '[a',
      '*[',
      'src/[x].js',
      'src/[',
      '[[:alpha:]]b',
      'src',
      'src/',
      '[]x',
      'a[',
      '**/src/*.js',
      '/src/deep/**/*.js',
      'src/**deep/*',
      '[^a-]b',
    ];
    const text = patterns.map((pattern, i) => `${pattern} p${i}`).join('\n');
    await fixture.git(['config', 'core.attributesFile', '/dev/null']);
    const info = `${fixture.repository.path}/info/attributes`;
    await import('node:fs/promises').then(({ mkdir, writeFile }) =>
      mkdir(`${fixture.repository.path}/info`, { recursive: true }).then(() => writeFile(info, text)),
    );
    const names = patterns.map((_, i) => `p${i}`);
    const answered = (await fixture.git(['check-attr', '-z', ...names, '--', ...paths])).split('\0');
    const rules = parseAttributes(text);
    for (let at = 0; at + 2 < answered.length; at += 3) {
      const [path = '', name = '', value] = answered.slice(at, at + 3);
      const rule = rules.find(({ values }) => values[0]?.[0] === name);
      const base = path.slice(path.lastIndexOf('/') + 1);
      const matches = rule !== undefined && (rule.wholePath ? matchesPath(rule.pattern, path) : matchesName(rule.pattern, base));
      assert.equal(matches, value === 'set', `${patterns[Number(name.slice(1))]} with ${path}`);
    }
  });

  it('take no time, whatever they are made of', async () => {
    const time = await processorTime(() => {
      assert.equal(matchesName('*a'.repeat(1000), `${'a'.repeat(4000)}b`), false);
      assert.equal(matchesPath(`${'**/a/'.repeat(300)}b`, `${'a/'.repeat(300)}c`), false);
    });
    assert.ok(time < 2000, `${time} ms`);
  });
});
