import { GraphLanes, type Lane } from './graph-lanes.ts';

/** Commits on a page of a graph. */
export const GRAPH_PAGE = 100;

/** The start of a page of a graph. */
export interface GraphStart {
  /** The position in the list of commits, in characters. */
  readonly offset: number;
  readonly lanes: readonly Lane[];
  readonly colors: number;
}

/** The number of commits of a graph, and the starts of its pages. */
export interface GraphOutline {
  readonly total: number;
  readonly starts: readonly GraphStart[];
}

/** Parses a line of `git rev-list --parents`. */
export function parseGraphLine(line: string): { oid: string; parents: string[] } {
  const [oid = '', ...parents] = line.split(' ');
  return { oid, parents };
}

/** Lays out a whole history, so that each page of its graph can be drawn separately. @param list the output of `git rev-list --parents` */
export function run(list: Uint8Array): GraphOutline {
  const text = Buffer.from(list).toString('latin1');
  const lanes = new GraphLanes();
  const starts: GraphStart[] = [];
  let total = 0;
  for (let offset = 0; offset < text.length; total++) {
    if (total % GRAPH_PAGE === 0) starts.push({ offset, ...lanes.state });
    const end = text.indexOf('\n', offset);
    const { oid, parents } = parseGraphLine(text.slice(offset, end));
    lanes.place(oid, parents);
    offset = end + 1;
  }
  return { total, starts };
}
