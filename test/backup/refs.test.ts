import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeBack } from '../../src/backup/make/refs.ts';

const [none, a, b, c] = ['0', 'a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string, string];
const move = (oldId: string, newId: string, ref = 'refs/heads/main') => ({ ref, oldId, newId });

/** Where `main` was, when it is copied at `at`. */
function before(at: string | undefined, ...moves: ReturnType<typeof move>[]): string | undefined {
  const refs = new Map(at === undefined ? [] : [['refs/heads/main', at]]);
  takeBack(refs, { recorded: moves, announced: [] });
  return refs.get('refs/heads/main');
}

describe('refs that moved during a backup', () => {
  it('are taken back to where they were, whenever they were copied', () => {
    const moves = [move(a, b), move(b, c)];
    for (const at of [a, b, c]) assert.equal(before(at, ...moves), a);
    // Recorded in another order than they were made.
    assert.equal(before(c, move(b, c), move(a, b)), a);
    for (const at of [a, b]) assert.equal(before(at, move(a, b), move(b, a)), a);
  });

  it('come back, or go, when they were deleted or made', () => {
    assert.equal(before(undefined, move(a, none)), a);
    assert.equal(before(b, move(none, a), move(a, b)), undefined);
    assert.equal(before(undefined, move(none, a), move(a, none)), undefined);
  });

  it('stay when a move was announced and has not happened, or is of another ref', () => {
    assert.equal(before(a, move(b, c)), a);
    assert.equal(before(a, move(b, a, 'refs/heads/other')), a);
    const refs = new Map([['refs/heads/main', b]]);
    takeBack(refs, { recorded: [move(a, b)], announced: [move(c, none), move(b, none)] });
    assert.equal(refs.get('refs/heads/main'), a);
    takeBack(refs, { recorded: [], announced: [move(c, a)] });
    assert.equal(refs.get('refs/heads/main'), c);
  });
});
