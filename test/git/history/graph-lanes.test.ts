// On SQLite alone: no database is involved.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GraphLanes, MAX_LANES } from '../../../src/git/history/graph-lanes.ts';
import { GRAPH_PAGE, parseGraphLine, run } from '../../../src/git/history/graph-task.ts';

/** What a commit's row looks like: its lane, and its lines as `from>to`. */
function shapes(history: readonly string[]): string[] {
  const lanes = new GraphLanes();
  return history.map((line) => {
    const { oid, parents } = parseGraphLine(line);
    const { at, edges } = lanes.place(oid, parents);
    return `${oid}@${at} ${edges.map(({ from, to }) => `${from}>${to}`).join(' ')}`;
  });
}

describe('the lanes of a graph', () => {
  it('follow first parents, open beside for merges, and join again', () => {
    assert.deepEqual(shapes(['m a b', 'b r', 'a r', 'r']), ['m@0 0>0 0>1', 'b@1 0>0 1>1', 'a@0 1>1 0>1', 'r@1 ']);
  });

  it('are used again once they are free', () => {
    assert.deepEqual(shapes(['x', 'y z', 'z']), ['x@0 ', 'y@0 0>0', 'z@0 ']);
  });

  it('are bounded: a commit with thousands of parents, and thousands of branches', () => {
    const octopus = Array.from({ length: 3000 }, (_, index) => `p${index}`);
    const wide = new GraphLanes();
    assert.equal(wide.place('o', octopus).edges.length, MAX_LANES);
    assert.equal(wide.place('other', ['q']).at, MAX_LANES);
    const lanes = new GraphLanes();
    for (let index = 0; index < 3000; index++) assert.ok(lanes.place(`t${index}`, [`u${index}`]).edges.length <= MAX_LANES);
    assert.equal(lanes.state.lanes.length, MAX_LANES);
  });

  it('go on from page to page as they do without pages', () => {
    const lines = Array.from({ length: 3 * GRAPH_PAGE }, (_, index) => `c${index} c${index + 1}${index % 7 === 0 ? ` c${index + 5}` : ''}`);
    const text = `${lines.join('\n')}\n`;
    const { total, starts } = run(Buffer.from(text));
    assert.equal(total, 3 * GRAPH_PAGE);
    const whole = new GraphLanes();
    const rows = lines.map((line) => whole.place(parseGraphLine(line).oid, parseGraphLine(line).parents));
    for (const [page, start] of starts.entries()) {
      const lanes = new GraphLanes(start);
      const { oid, parents } = parseGraphLine(text.slice(start.offset, text.indexOf('\n', start.offset)));
      assert.deepEqual(lanes.place(oid, parents), rows[page * GRAPH_PAGE]);
    }
  });
});
