/** A replacement of lines of a file, counted from 1. */
export interface Replacement {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
}

const LF = 10;

/** A file with replaced lines and the same line ends; undefined where the lines do not exist, or two replacements overlap. */
export function withReplacements(content: Buffer, replacements: readonly Replacement[]): Buffer | undefined {
  const lines = linesOf(content);
  const sorted = replacements.toSorted((a, b) => a.first - b.first);
  const parts: Buffer[] = [];
  let next = 1;
  for (const { first, last, lines: suggested } of sorted) {
    if (first < next || last < first || last > lines.length) return undefined;
    parts.push(...lines.slice(next - 1, first - 1), ended(lines[last - 1] ?? Buffer.alloc(0), suggested));
    next = last + 1;
  }
  return Buffer.concat([...parts, ...lines.slice(next - 1)]);
}

/** With their ends. */
function linesOf(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < content.length; ) {
    const end = content.indexOf(LF, from);
    const to = end === -1 ? content.length : end + 1;
    lines.push(content.subarray(from, to));
    from = to;
  }
  return lines;
}

function ended(model: Buffer, lines: readonly string[]): Buffer {
  const end = /\r?\n$/.exec(model.toString('latin1'))?.[0] ?? '';
  return Buffer.from(lines.join(end === '' ? '\n' : end) + (lines.length > 0 ? end : ''));
}
