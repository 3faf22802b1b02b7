import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { branchMatcher, isPattern, pathMatcher, tagMatcher } from '../../../src/code/protections/patterns.ts';
import { InvalidPatternError } from '../../../src/text/pattern.ts';
import { processorTime } from '../../support/processor-time.ts';

describe('patterns of branches', () => {
  const cases: [pattern: string, matching: string[], others: string[]][] = [
    ['main', ['main', 'MAIN'], ['main2', 'x/main', 'mai']],
    ['release/*', ['release/1', 'release/'], ['release', 'release/1/2', 'x/release/1']],
    ['release/**', ['release/1', 'release/1/2'], ['release']],
    ['v?', ['v1', 'vx'], ['v', 'v12', 'v/']],
    ['[ab]-[!c]', ['a-x', 'b-d'], ['c-x', 'a-c', 'a-']],
    ['{main,dev/*}', ['main', 'dev/x'], ['dev', 'main,dev/x']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['b', 'c']],
    ['a.b+(c)|d^$*', ['a.b+(c)|d^$x'], ['axb+(c)|d^$', 'd^$']],
    ['\\*', ['*'], ['x', '\\']],
    ['[a-c]*', ['bx'], ['dx']],
    ['[^a]q', ['bq'], ['aq', '^']],
    ['[]]', ['[]]'], [']', 'x']],
    ['open[', ['open['], ['open']],
    ['{open', ['{open'], ['open']],
    ['ends\\', ['ends\\'], ['ends']],
    ['feature-*-ß', ['feature-ä-ß'], ['feature-ß']],
  ];
  for (const [pattern, matching, others] of cases) {
    it(pattern, () => {
      const matches = branchMatcher(pattern);
      for (const name of matching) assert.ok(matches(name), `${pattern} should match ${name}`);
      for (const name of others) assert.ok(!matches(name), `${pattern} should not match ${name}`);
    });
  }

  it('distinguishes patterns and names', () => {
    assert.deepEqual(['main', 'a/b', 'v1.0'].map(isPattern), [false, false, false]);
    assert.deepEqual(['*', 'a?', '[x]', '{a}', '\\x'].map(isPattern), [true, true, true, true, true]);
  });
});

describe('patterns of tags', () => {
  it('are patterns without separators, or expressions between slashes', () => {
    assert.ok(tagMatcher('v*')('v1/2.3'));
    assert.ok(!tagMatcher('v*')('x-v1'));
    assert.ok(tagMatcher('/^rc-\\d+$/')('rc-12'));
    assert.ok(!tagMatcher('/^rc-\\d+$/')('rc-x'));
    assert.ok(tagMatcher('/rc/')('a-rc-b'));
  });

  it('that cannot be read are refused', () => {
    for (const pattern of ['/(/', '/a**/', '/[/', '[', '{a', '/(?<!x)y/', '/\\1/']) {
      assert.throws(() => tagMatcher(pattern), InvalidPatternError, pattern);
    }
  });
});

describe('patterns of paths', () => {
  it('are several, without regard to case, with dots and slashes as separators', () => {
    const matches = pathMatcher(' *.Lock ; config/**;;docs/*.md');
    assert.ok(matches);
    for (const path of ['yarn.lock', 'YARN.LOCK', 'config/a/b.yml', 'docs/a.md']) assert.ok(matches(path), path);
    for (const path of ['a.b.lock', 'sub/yarn.lock', 'config', 'docs/a/b.md', 'docs/a.b.md']) assert.ok(!matches(path), path);
    assert.ok(pathMatcher('config/**')?.('config/a\nb'), 'a line end is a character like others');
    assert.equal(pathMatcher(' ; '), undefined);
  });

  it('that cannot be read match nothing, and keep the others from nothing', () => {
    const matches = pathMatcher('[;*.md');
    assert.ok(matches?.('a.md') && !matches('['));
  });
});

it('a pattern takes time that grows with the text alone', async () => {
  const text = 'a'.repeat(20_000);
  const time = await processorTime(() => {
    for (const pattern of ['/^(a+)+$/', '/^(a|a)*b$/', '/(a*)*c/', `/${'(a?)'.repeat(20)}a{20}$/`]) tagMatcher(pattern)(text);
    branchMatcher(`{${'a*,'.repeat(50)}b}`)(text);
    pathMatcher('*a*a*a*a*a*a*a*a*b')?.(text);
  });
  assert.ok(time < 5000, `${time} ms`);
});
