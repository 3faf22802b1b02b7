// On SQLite alone: this needs neither a server nor a database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { matchersOf } from '../../src/search/find/matcher.ts';
import { makeFilter, mayHave, trigramsOf } from '../../src/search/index/filter.ts';
import { fold } from '../../src/search/index/fold.ts';
import { parseQuery } from '../../src/search/query/parse.ts';
import { QueryError } from '../../src/search/query/query.ts';
import { clausesOf } from '../../src/search/query/requirements.ts';
import { anyText, holds, textOf } from '../support/property.ts';

/** Whether the filter of a text lets an expression or a literal through. */
function passes(text: string, clauses: readonly (readonly string[])[]): boolean {
  const filter = makeFilter(text);
  return clauses.every((clause) => clause.some((literal) => mayHave(filter, 0, filter.length, trigramsOf(literal))));
}

const pieces = [
  'a',
  'b',
  'abc',
  'Foo',
  'bar',
  '.',
  '\\.',
  '\\d',
  '\\w+',
  '(',
  '(?:',
  '(?i)',
  '(?P<n>',
  ')',
  '|',
  '*',
  '+',
  '?',
  '{2}',
  '{0,3}',
  '{',
  '[',
  '[^',
  '[]',
  ']',
  '-',
  '^',
  '$',
  '\\b',
  '\\x41',
  '\\x{42}',
  '\\pL',
  '\\p{Lu}',
  '\\Q',
  '\\E',
  '\\',
  '日本',
  'ß',
  'ς',
];

describe('filters of trigrams', () => {
  it('never miss what is in a text', () => {
    holds(
      fc.property(anyText, anyText, anyText, (before, literal, after) => {
        if (/\n/.test(literal)) return;
        const text = before + literal + after;
        assert.ok(
          passes(
            text,
            [[fold(literal)]].filter(([each = '']) => each.length >= 3),
          ),
        );
        assert.ok(
          passes(
            text.toUpperCase(),
            literal.toUpperCase().length === literal.length && fold(literal).length >= 3 ? [[fold(literal.toUpperCase())]] : [],
          ),
        );
      }),
    );
  });

  it('say no to most of what is not', () => {
    const filter = makeFilter(Array.from({ length: 3000 }, (_, n) => `word${n * 7919}`).join(' '));
    const absent = Array.from({ length: 1000 }, (_, n) => `zq${n.toString(36)}xj`);
    const wrong = absent.filter((literal) => mayHave(filter, 0, filter.length, trigramsOf(literal)));
    assert.ok(wrong.length < 20, String(wrong.length));
  });

  it('let pass all that an expression matches', () => {
    holds(
      fc.property(
        textOf(pieces, 8),
        textOf(['abc', 'Foo', 'FOO', 'bar', 'a', 'b', 'A', 'B', '日本', 'ß', 'Σ', '.', '-', '1', '{', ']', ' '], 12),
        (source, text) => {
          let compiled: RE2JS;
          try {
            compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
          } catch {
            return;
          }
          const matcher = compiled.matcher(text);
          if (!matcher.find() || matcher.end() === matcher.start()) return;
          assert.ok(
            passes(text, clausesOf(source)),
            `${JSON.stringify(source)} in ${JSON.stringify(text)}: ${JSON.stringify(clausesOf(source))}`,
          );
          let isFound = false;
          const [own] = matchersOf({ terms: [{ kind: 'expression', source }], isCaseSensitive: false });
          own?.find(
            text,
            () => {
              isFound = true;
              return false;
            },
            Number.POSITIVE_INFINITY,
          );
          assert.ok(isFound, `${JSON.stringify(source)} is not found in ${JSON.stringify(text)}`);
        },
      ),
      5000,
    );
  });

  it('know what an expression needs', () => {
    const needs: [string, string[][]][] = [
      ['start_?server', [['start'], ['server']]],
      ['(foo|barbaz)qux', [['foo', 'barbaz'], ['qux']]],
      ['a.b', []],
      ['ab(c|d)ef', []],
      ['(?:abc)+d*', [['abc']]],
      ['(?i)Hello\\.World', [['hello.world']]],
      ['x{3}foobar?', [['fooba']]],
      ['\\Qabc', []],
    ];
    for (const [source, clauses] of needs) assert.deepEqual(clausesOf(source), clauses, source);
  });
});

describe('the text of a search', () => {
  it('is read by its signs', () => {
    const terms = (q: string) => parseQuery(q).terms.map((term) => (term.kind === 'text' ? term.text : `/${term.source}/`));
    assert.deepEqual(terms('one two'), ['one', 'two']);
    assert.deepEqual(terms('std::string "a b" /c d/'), ['std::string', 'a b', '/c d/']);
    assert.deepEqual(terms('/usr/lib path:'), ['/usr/lib', 'path:']);
    assert.deepEqual(terms('"open lang:'), ['"open', 'lang:']);
    assert.deepEqual(terms('say("hi")'), ['say("hi")']);
    assert.deepEqual(terms('  '), []);
    const query = parseQuery('x path:"a b" -lang:Go user:Ann repo:a/b case:yes');
    assert.deepEqual(query, {
      terms: [{ kind: 'text', text: 'x' }],
      isCaseSensitive: true,
      paths: [{ value: 'a b', isNot: false }],
      languages: [{ value: 'go', isNot: true }],
      repositories: ['a/b'],
      owners: ['ann'],
    });
  });

  it('is read or refused, whatever it is', () => {
    holds(
      fc.property(textOf(['"', '/', '\\', ' ', 'path:', '-', 'lang:', 'a', 'repo:', '\n', 'case:yes'], 30), (text) => {
        try {
          parseQuery(text);
        } catch (error) {
          assert.ok(error instanceof QueryError);
        }
      }),
    );
  });
});
