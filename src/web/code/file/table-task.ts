/** A table file as it is shown. */
export interface TableView {
  readonly rows: readonly (readonly string[])[];
  /** Whether there are more rows or columns. */
  readonly isCut: boolean;
}

/** The text, and its separator if the file name tells it. */
export interface TableRequest {
  readonly text: string;
  readonly separator: string | undefined;
}

const MAX_ROWS = 1_000;
const MAX_COLUMNS = 100;
const MAX_VALUE = 2_000;
const SEPARATORS = [',', ';', '\t', '|'];

/** Parses comma-separated values (RFC 4180), or values with another separator. */
export function run({ text, separator }: TableRequest): TableView {
  const by = separator ?? guessed(text);
  const rows: string[][] = [];
  let isCut = false;
  let row: string[] = [];
  const add = (value: string) => {
    if (row.length < MAX_COLUMNS) row.push(value.slice(0, MAX_VALUE));
    else isCut = true;
  };
  let at = 0;
  while (at < text.length) {
    if (rows.length === MAX_ROWS) return { rows, isCut: true };
    const { value, end } = text[at] === '"' ? quoted(text, at) : plain(text, at, by);
    add(value);
    if (text[end] === by) at = end + 1;
    else {
      rows.push(row);
      row = [];
      at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
    }
    // A separator at the end is followed by an empty value.
    if (at === text.length && text[end] === by) {
      add('');
      rows.push(row);
    }
  }
  return { rows, isCut };
}

function quoted(text: string, from: number): { value: string; end: number } {
  let end = text.indexOf('"', from + 1);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end === -1) return { value: text.slice(from + 1), end: text.length };
  return { value: text.slice(from + 1, end).replaceAll('""', '"'), end: end + 1 };
}

function plain(text: string, from: number, by: string): { value: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== by && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(from, end), end };
}

/** The most frequent separator of the first lines. */
function guessed(text: string): string {
  const start = text.slice(0, 10_000).split('\n').slice(0, 10).join('\n');
  const count = (by: string) => start.split(by).length;
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}
