/** The id in a path, with or without a sign; 0, which no row has, for anything else. */
export function pathId(text: string): number {
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) || 0 : 0;
}
