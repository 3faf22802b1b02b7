import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineMoves } from '../../../src/git/diff/line-moves.ts';
import { lineOrigin } from '../../../src/git/history/blame.ts';
import { createFixture } from '../fixture.ts';

const lines = (...all: string[]) => `${all.join('\n')}\n`;

describe('lines', () => {
  it('come from the commit that wrote them', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: lines('1', '2', '3') } },
      { label: 'two', files: { a: lines('0', '1', 'two', '3') } },
    ]);
    const { repository } = fixture;
    const origins = [];
    for (const line of [1, 2, 3, 4]) origins.push(await lineOrigin(repository, fixture.id('two'), 'a', line));
    assert.deepEqual(
      origins,
      ['two', 'one', 'two', 'one'].map((label) => fixture.id(label)),
    );
    for (const [path, line] of [
      ['a', 5],
      ['a', 0],
      ['b', 1],
      ['../a', 1],
      ['', 1],
      ['-L1', 1],
      ['/etc/passwd', 1],
    ] as const) {
      assert.equal(await lineOrigin(repository, fixture.id('two'), path, line), undefined);
    }
    await assert.rejects(lineOrigin(repository, '--output=x', 'a', 1), TypeError);
  });

  it('are followed past what came and went before them', async () => {
    const before = Array.from({ length: 20 }, (_, i) => `${i + 1}`);
    const after = ['new', ...before.slice(0, 4), ...before.slice(6, 9), 'ten', ...before.slice(10), 'end'];
    await using fixture = await createFixture([
      { label: 'one', files: { a: lines(...before), b: 'b\n', c: 'c\n', d: '\0' } },
      { label: 'two', files: { a: lines(...after), c: null, e: 'c\n', d: '\0\0' } },
    ]);
    const move = await lineMoves(fixture.repository, fixture.id('one'), fixture.id('two'), ['a', 'b', 'c', 'd']);
    for (const [index, text] of before.entries()) {
      const now = after.indexOf(text);
      assert.equal(move('a', index + 1), now === -1 ? undefined : now + 1, text);
    }
    assert.deepEqual([move('b', 1), move('c', 1), move('d', 1)], [1, undefined, undefined]);
  });
});
