// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJsonBody } from '../../../src/http/bodies/json-body.ts';

describe('a body in JSON', () => {
  it('is the value that it begins with', () => {
    const cases: readonly (readonly [text: string, value: unknown])[] = [
      ['', {}],
      [' \r\n', {}],
      ['{"a":"}\\"]","b":[1,{}]} and more', { a: '}"]', b: [1, {}] }],
      [' ["\\\\"]{', ['\\']],
      ['{}}', {}],
    ];
    for (const [text, value] of cases) assert.deepEqual(parseJsonBody(text), value, text);
  });

  it('is refused if that has no end', () => {
    for (const text of ['{', '{"a', '{"a"}', '[1', '1 2', 'x', '{"a\\"}']) assert.throws(() => parseJsonBody(text), /\[\]: /, text);
  });

  it('is read in a time that grows with its length', () => {
    // An expression took a quarter of an hour for this.
    assert.throws(() => parseJsonBody(`{"${'\\"'.repeat(1_000_000)}`), /\[\]: /);
  });
});
