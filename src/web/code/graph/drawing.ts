import type { GraphPage } from '../../../git/history/graph.ts';
import type { GraphRow } from '../../../git/history/graph-lanes.ts';
import { type Html, html } from '../../html.ts';

/** Height of a row, as in the style sheet, and width of a lane, in pixels. */
const ROW = 32;
const LANE = 14;
const COLORS = 8;

/** Draws the lines and dots of a page of a graph. The rows next to it contain the same information. */
export function drawing({ rows, above }: GraphPage): Html {
  const lines = new Lines();
  for (const { at, color } of above) lines.add(color, at, 0, at, middle(0));
  for (const [index, { edges }] of rows.entries()) {
    for (const { from, to, color } of edges)
      lines.add(color, from, middle(index), to, index === rows.length - 1 ? ROW * rows.length : middle(index + 1));
  }
  const width = LANE * (1 + lanesOf({ rows, above }));
  return html`<svg class="graph-lines" width="${width}" height="${ROW * rows.length}" aria-hidden="true">${lines.paths()}${rows.map(dot)}</svg>`;
}

function dot({ at, color, edges }: GraphRow, index: number): Html {
  const isMerge = edges.filter(({ from }) => from === at).length > 1;
  return html`<circle class="graph-${color % COLORS}" cx="${x(at)}" cy="${middle(index)}" r="${isMerge ? 3 : 4}"/>`;
}

function lanesOf({ rows, above }: Pick<GraphPage, 'rows' | 'above'>): number {
  const ends = rows.flatMap(({ at, edges }) => [at, ...edges.map(({ to }) => to)]);
  return 1 + Math.max(0, ...above.map(({ at }) => at), ...ends);
}

function x(lane: number): number {
  return LANE * (lane + 1);
}

function middle(row: number): number {
  return ROW * row + ROW / 2;
}

/** Lines by color. Straight continuations are merged. */
class Lines {
  readonly #paths = new Map<number, string[]>();
  readonly #straight = new Map<string, { from: number; to: number }>();

  add(color: number, from: number, top: number, to: number, bottom: number): void {
    const shade = color % COLORS;
    if (from !== to) {
      const half = (bottom - top) / 2;
      this.#draw(shade, `M${x(from)} ${top}C${x(from)} ${top + half} ${x(to)} ${bottom - half} ${x(to)} ${bottom}`);
      return;
    }
    const key = `${shade} ${from}`;
    const run = this.#straight.get(key);
    if (run?.to === top) run.to = bottom;
    else {
      this.#end(key);
      this.#straight.set(key, { from: top, to: bottom });
    }
  }

  paths(): Html[] {
    for (const key of [...this.#straight.keys()]) this.#end(key);
    return [...this.#paths].map(([shade, parts]) => html`<path class="graph-${shade}" d="${parts.join('')}"/>`);
  }

  #end(key: string): void {
    const run = this.#straight.get(key);
    if (!run) return;
    const [shade = 0, lane = 0] = key.split(' ').map(Number);
    this.#draw(shade, `M${x(lane)} ${run.from}V${run.to}`);
    this.#straight.delete(key);
  }

  #draw(shade: number, part: string): void {
    const parts = this.#paths.get(shade);
    if (parts) parts.push(part);
    else this.#paths.set(shade, [part]);
  }
}
