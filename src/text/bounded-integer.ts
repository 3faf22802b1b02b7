/** The integer of a text, or the nearest one that numbers represent exactly; undefined for other texts. */
export function boundedInteger(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number(text), Number.MAX_SAFE_INTEGER)) || 0;
}
