import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expressionSize } from '../../src/text/expression-size.ts';
import { expressionMatcher, InvalidPatternError } from '../../src/text/pattern.ts';

// On SQLite alone: no database is asked.

describe('the size of an expression', () => {
  it('counts what is repeated as often as it is', () => {
    for (const [expression, size] of [
      ['abc', 3],
      ['a{10}', 10],
      ['a{3,7}b', 8],
      ['a{3,}', 3],
      ['(ab){5}', 10],
      ['(?:[a-z]{10}x){10}', 110],
      ['[)(\\]{9}]{4}', 4],
      ['[[:alpha:])]{4}', 4],
      ['(a[)]){3}', 6],
      ['(\\)\\(b){3}', 9],
      ['(\\Q)\\Eb){3}', 6],
      ['a{b}', 4],
      ['a{2}{3}', 6],
      [')', 1],
    ] as const) {
      const found = expressionSize(expression);
      assert.ok(found >= size && found <= size + 30, `${expression} ${found}`);
    }
  });

  it('is bounded, so that an expression is read in little time', () => {
    for (const expression of ['(a?){1000}'.repeat(10), '(\\pL?){1000}'.repeat(300), `(?:${'a?'.repeat(1000)}){100}`, '(?:[)]a{90}){100}'])
      assert.throws(() => expressionMatcher(expression), InvalidPatternError, expression.slice(0, 20));
    for (const expression of ['^v?\\d{1,9}(?:\\.\\d{1,9}){0,3}$', '[\\w.-]{1,255}', 'a'.repeat(4000)]) expressionMatcher(expression);
  });
});
