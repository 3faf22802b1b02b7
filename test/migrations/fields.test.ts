// On SQLite alone: the database does not matter.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eachOf } from '../../src/concurrency/each-of.ts';
import { SourceError } from '../../src/migrations/source/errors.ts';
import { Fields, fieldsOf, MAX_TEXT } from '../../src/migrations/source/fields.ts';
import { pagesOf } from '../../src/migrations/source/pages.ts';
import { rateLimitDelay } from '../../src/migrations/source/rate-limit.ts';

describe('the fields of a response', () => {
  const fields = new Fields(
    { text: 'a\u0000b\ud800', number: 3, time: '2024-01-02T03:04:05Z', list: [{ id: 1 }], none: null, when: 1e99 },
    'thing',
  );

  it('are read by their types, with defaults for those that are missing', () => {
    assert.equal(fields.text('text'), 'ab\ufffd');
    assert.equal(fields.text('text', 1), 'a');
    assert.deepEqual([fields.text('none'), fields.count('none'), fields.flag('none'), fields.time('none')], ['', 0, false, undefined]);
    assert.deepEqual([fields.count('number'), fields.time('time'), fields.list('list')[0]?.id('id')], [3, 1_704_164_645, 1]);
    assert.deepEqual([fields.object('constructor'), fields.text('toString'), fields.seconds('when')], [undefined, '', undefined]);
    assert.equal(new Fields({ text: 'x'.repeat(MAX_TEXT + 1) }, 'thing').text('text').length, MAX_TEXT);
    assert.equal(new Fields({ time: '0001-01-01T00:00:00Z' }, 'thing').time('time'), undefined);
    assert.deepEqual(fieldsOf(null, 'things'), []);
  });

  it('are refused where they have other types', () => {
    const wrong: (() => unknown)[] = [
      () => new Fields(null, 'thing'),
      () => new Fields([], 'thing'),
      () => fieldsOf({}, 'things'),
      () => fieldsOf([1], 'things'),
      () => fields.text('number'),
      () => fields.count('text'),
      () => fields.id('none'),
      () => fields.time('number'),
      () => fields.texts('list'),
      () => fields.object('list'),
      () => new Fields({ count: -1 }, 'thing').count('count'),
      () => new Fields({ count: 0.5 }, 'thing').count('count'),
    ];
    for (const read of wrong) assert.throws(read, SourceError, String(read));
  });
});

describe('pages', () => {
  it('are read to the end, which has to come', async () => {
    const pages = new Map([
      ['', { items: [1, 2], next: 'b' }],
      ['b', { items: [3], next: undefined }],
    ]);
    const read = async (cursor: string) => pages.get(cursor) ?? { items: [], next: cursor };
    assert.deepEqual((await Array.fromAsync(pagesOf(read))).flat(), [1, 2, 3]);
    await assert.rejects(Array.fromAsync(pagesOf(async () => ({ items: [1], next: 'x' }))), SourceError);
  });

  it('are worked on a few at a time, and ended by the first error', async () => {
    const begun: number[] = [];
    const task = async (item: number) => {
      begun.push(item);
      if (item === 2) throw new Error('two');
    };
    await assert.rejects(eachOf([1, 2, 3, 4, 5, 6, 7, 8], 2, task), /two/);
    assert.ok(begun.length < 8);
  });
});

describe('the limits of a server', () => {
  const delay = (status: number, headers: Record<string, string>) => rateLimitDelay({ status, headers }, 1_000_000);

  it('say how long to wait', () => {
    assert.equal(delay(429, { 'retry-after': '7' }), 7000);
    assert.equal(delay(503, { 'retry-after': 'Thu, 01 Jan 1970 00:20:00 GMT' }), 200_000);
    assert.equal(delay(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1010' }), 11_000);
    assert.equal(delay(429, { 'ratelimit-reset': '1010' }), 11_000);
    assert.equal(delay(429, {}), 60_000);
  });

  it('are not the reason of every refusal', () => {
    assert.deepEqual(
      [delay(403, {}), delay(403, { 'x-ratelimit-remaining': '9' }), delay(503, {}), delay(404, { 'retry-after': '1' })],
      [undefined, undefined, undefined, undefined],
    );
  });
});
