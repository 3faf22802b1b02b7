/** Lines that follow each other, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Reads `10` or `10-20`, in either order; undefined for anything else. */
export function readRange(written: string | undefined): LineRange | undefined {
  const [, first, last = first] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec((written ?? '').trim()) ?? [];
  if (first === undefined) return undefined;
  return { from: Math.min(Number(first), Number(last)), to: Math.max(Number(first), Number(last)) };
}

/**
 * The query and the fragment of a source with these lines marked: one line is the fragment's, several are `lines` of the query, which
 * the script makes a fragment (`#L10-L20`) of.
 */
export function queryOfRange({ from, to }: LineRange, kept = new URLSearchParams()): string {
  const query = new URLSearchParams(kept);
  if (to > from) query.set('lines', `${from}-${to}`);
  return `${query.size > 0 ? `?${query}` : ''}#L${from}`;
}
