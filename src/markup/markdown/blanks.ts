/** The characters and columns of the blanks at `from`, which stands in `column`. */
export function blanks(source: string, from: number, max: number, column: number): { length: number; width: number } {
  let end = column;
  let i = from;
  for (; i < max && (source[i] === ' ' || source[i] === '\t'); i++) end += source[i] === ' ' ? 1 : 4 - (end % 4);
  return { length: i - from, width: end - column };
}
