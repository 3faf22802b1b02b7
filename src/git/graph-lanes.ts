/** Where the line of a commit that is still to come runs. */
export interface Lane {
  readonly oid: string;
  /** From the left, from 0 on. */
  readonly at: number;
  /** A number that lines beside each other do not share. */
  readonly color: number;
}

/** A line from a commit to the row below it. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly color: number;
}

/** A commit in a graph: its place, and the lines that lead from its row to the next. */
export interface GraphRow {
  readonly oid: string;
  readonly at: number;
  readonly color: number;
  readonly edges: readonly Edge[];
}

/** Lines beside each other. Commits of further ones stand beside the last, without lines. */
export const MAX_LANES = 48;
/** Parents whose lines are drawn. */
const MAX_PARENTS = MAX_LANES;

/** Lays out the graph of a history, whose commits come before their parents. */
export class GraphLanes {
  readonly #waiting: Map<string, Lane>;
  /** The commits that lanes wait for. */
  readonly #lanes: (string | undefined)[] = Array.from({ length: MAX_LANES }, () => undefined);
  #colors: number;

  /** @param begun the state where another one stood; the beginning when left out */
  constructor(begun: { readonly lanes: readonly Lane[]; readonly colors: number } = { lanes: [], colors: 0 }) {
    this.#waiting = new Map(begun.lanes.map((lane) => [lane.oid, lane]));
    for (const { oid, at } of begun.lanes) this.#lanes[at] = oid;
    this.#colors = begun.colors;
  }

  /** What a new one goes on with from here. */
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

  /** The line to a parent: the first one goes on in the commit's own lane, unless another child has led a line to it already. */
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
