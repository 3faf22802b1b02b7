/** The position of the line to a later commit. */
export interface Lane {
  readonly oid: string;
  /** From the left, from 0. */
  readonly at: number;
  /** A number that adjacent lines do not share. */
  readonly color: number;
}

/** A line from a commit to the row below it. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly color: number;
}

/** A commit in a graph: its position, and the lines from its row to the next. */
export interface GraphRow {
  readonly oid: string;
  readonly at: number;
  readonly color: number;
  readonly edges: readonly Edge[];
}

/** Maximum number of parallel lines. Further commits are next to the last line, without lines. */
export const MAX_LANES = 48;
/** Parents whose lines are drawn. */
const MAX_PARENTS = MAX_LANES;

/** Lays out the graph of a history; children come before their parents. */
export class GraphLanes {
  readonly #waiting: Map<string, Lane>;
  /** The commit that each lane leads to. */
  readonly #lanes: (string | undefined)[] = Array.from({ length: MAX_LANES }, () => undefined);
  #colors: number;

  /** @param begun the state of another layout to continue; a new one when left out */
  constructor(begun: { readonly lanes: readonly Lane[]; readonly colors: number } = { lanes: [], colors: 0 }) {
    this.#waiting = new Map(begun.lanes.map((lane) => [lane.oid, lane]));
    for (const { oid, at } of begun.lanes) this.#lanes[at] = oid;
    this.#colors = begun.colors;
  }

  /** The state for another layout that continues this one. */
  get state(): { lanes: Lane[]; colors: number } {
    return { lanes: [...this.#waiting.values()], colors: this.#colors };
  }

  /** Places the next commit. */
  place(oid: string, parents: readonly string[]): GraphRow {
    const known = this.#waiting.get(oid);
    const own = known ?? { oid, at: this.#freeLane(), color: this.#nextColor() };
    if (known) this.#leave(known);
    const edges: Edge[] = [...this.#waiting.values()].map(({ at, color }) => ({ from: at, to: at, color }));
    for (const [index, parent] of parents.slice(0, MAX_PARENTS).entries()) {
      const edge = this.#lineTo(parent, own, index === 0);
      if (edge) edges.push(edge);
    }
    return { oid, at: own.at, color: own.color, edges };
  }

  /** The line to a parent: the first one continues in the commit's own lane, unless another child already has a line to it. */
  #lineTo(parent: string, own: Lane, isFirst: boolean): Edge | undefined {
    const known = this.#waiting.get(parent);
    if (known) return { from: own.at, to: known.at, color: isFirst ? own.color : known.color };
    const at = isFirst && own.at < MAX_LANES ? own.at : this.#freeLane();
    if (at === MAX_LANES) return undefined;
    const lane = { oid: parent, at, color: isFirst ? own.color : this.#nextColor() };
    this.#waiting.set(parent, lane);
    this.#lanes[at] = parent;
    return { from: own.at, to: at, color: lane.color };
  }

  #leave({ oid, at }: Lane): void {
    this.#waiting.delete(oid);
    this.#lanes[at] = undefined;
  }

  #freeLane(): number {
    const at = this.#lanes.indexOf(undefined);
    return at === -1 ? MAX_LANES : at;
  }

  #nextColor(): number {
    return this.#colors++;
  }
}
