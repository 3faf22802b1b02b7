import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { hasMoreParts, JsonPartCounter } from '../../src/text/json-parts.ts';
import { holds } from '../support/property.ts';

describe('objects, lists and members', () => {
  it('are counted outside of texts, in however many pieces', () => {
    const property = fc.property(fc.json(), fc.integer({ min: 1, max: 40 }), (json, size) => {
      const bytes = Buffer.from(json);
      const counter = new JsonPartCounter();
      for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
      const outside = json.replace(/"(?:[^"\\]|\\.)*"/g, '');
      assert.equal(counter.parts, outside.match(/[,[{]/g)?.length ?? 0);
    });
    holds(property, 2000);
  });

  it('are too many only beyond the limit', () => {
    const json = Buffer.from(JSON.stringify({ a: [1, 2, 3], b: 'x,[{\\"'.repeat(100) }));
    assert.deepEqual([hasMoreParts(json, 5), hasMoreParts(json, 4)], [false, true]);
  });

  it('are counted as quickly in texts of many escapes and quotes', () => {
    const json = Buffer.from(`["${'\\\\a'.repeat(3_000_000)}${'\\"'.repeat(3_000_000)}"]`);
    const before = process.cpuUsage();
    assert.equal(hasMoreParts(json, 1), false);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 10_000_000);
  });
});
