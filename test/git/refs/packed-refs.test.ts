import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { PackedRefs } from '../../../src/git/refs/packed-refs.ts';
import { compareNames } from '../../../src/git/refs/ref-names.ts';
import { holds, textOf } from '../../support/property.ts';

const SORTED = '# pack-refs with: peeled fully-peeled sorted \n';
const name = textOf(['a', 'b', '/', '-', '.', 'zä', '\u{1f600}', '\uff5e'], 5).map((text) => `refs/heads/${text}x`);
const refs = fc.uniqueArray(fc.tuple(name, fc.integer({ min: 0, max: 9 }), fc.boolean()), { selector: ([name]) => name, maxLength: 30 });
const id = (digit: number) => String(digit).repeat(40);
const textWith = (list: readonly (readonly [string, number, boolean])[]) =>
  list.map(([name, digit, isTag]) => `${id(digit)} ${name}\n${isTag ? `^${id(digit)}\n` : ''}`).join('');

describe('packed refs', () => {
  it('are found by their names and by the beginning of these, in whatever order they are written', () => {
    holds(
      fc.property(refs, name, fc.boolean(), (list, other, isSorted) => {
        const ordered = list.toSorted(([a], [b]) => compareNames(a, b));
        const packed = new PackedRefs(isSorted ? SORTED + textWith(ordered) : `# pack-refs with: peeled \n${textWith(list)}`);
        const expected = ordered.map(([name, digit, isTag]) => ({ name, oid: id(digit), peeled: isTag ? id(digit) : undefined }));
        assert.deepEqual([...packed.below('')], expected);
        const prefix = other.slice(0, -1);
        assert.deepEqual(
          [...packed.below(prefix)],
          expected.filter(({ name }) => name.startsWith(prefix)),
        );
        for (const { name, ...ref } of expected) assert.deepEqual(packed.get(name), ref);
        assert.equal(
          packed.get(other) !== undefined,
          list.some(([name]) => name === other),
        );
      }),
    );
  });

  it('may be none, have no line of comments, or no line break at the end', () => {
    assert.deepEqual([...new PackedRefs('').below('')], []);
    assert.deepEqual([...new PackedRefs(SORTED).below('refs/')], []);
    assert.equal(new PackedRefs(`${SORTED}${id(1)} refs/heads/a\n${id(2)} refs/heads/b`).get('refs/heads/b')?.oid, id(2));
    assert.equal(new PackedRefs(`${id(2)} refs/heads/b\n${id(1)} refs/heads/a`).get('refs/heads/a')?.oid, id(1));
  });
});
