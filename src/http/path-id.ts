/** The id in a path, with or without a sign; 0, which no row has, for anything else. */
export function pathId(text: string): number {
  return boundedInteger(text) ?? 0;
}

/** The integer of a text, or the nearest one that numbers represent exactly; undefined for other texts. */
export function boundedInteger(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER)) || 0;
}
