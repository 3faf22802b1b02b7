import { escapeHtml } from '../../text/escape-html.ts';

/** Limits of a shown table; the rest is replaced by a note. */
const MAX_ROWS = 2500;
const MAX_LENGTH = 524_288;

const SAMPLE_LENGTH = 10_000;
const SAMPLE_LINES = 10;

/**
 * Separated values (RFC 4180; the separator is guessed unless the file name says it) as a table with row numbers. `rawLink` leads to the
 * whole file.
 */
export function renderCsv(text: string, path: string, rawLink: string): string {
  const delimiter = /\.tsv$/i.test(path) ? '\t' : /\.psv$/i.test(path) ? '|' : guessDelimiter(text.slice(0, SAMPLE_LENGTH));
  const out: string[] = ['<table class="data-table">'];
  let row = 0;
  for (const record of readRecords(text.slice(0, MAX_LENGTH), delimiter)) {
    if (row >= MAX_ROWS) break;
    if (!record) continue;
    const cell = row === 0 ? 'th' : 'td';
    out.push(`<tr><${cell} class="line-num">${row + 1}</${cell}>`);
    for (const field of record) out.push(`<${cell}>${escapeHtml(field)}</${cell}>`);
    out.push('</tr>');
    row++;
  }
  out.push('</table>');
  if (row >= MAX_ROWS || text.length > MAX_LENGTH) {
    const link = `<a href="${escapeHtml(rawLink)}" rel="nofollow">View Raw</a>`;
    out.push(`<table class="data-table"><tr><td>The file is too large to be shown. ${link}</td></tr></table>`);
  }
  return out.join('');
}

/** The records of `text`; undefined for a line that breaks the format (a quote within an unquoted field). */
export function* readRecords(text: string, delimiter: string): Generator<string[] | undefined> {
  const blanks = delimiter === '\t' || delimiter === ' ' ? /$/y : /[ \t]*/y;
  let position = 0;
  while (position < text.length) {
    const end = lineEnd(text, position);
    if (end.content === position) {
      position = end.next;
      continue;
    }
    const record = readRecord(text, position, delimiter, blanks);
    yield record.fields;
    position = record.next;
  }
}

function lineEnd(text: string, from: number): { content: number; next: number } {
  const newline = text.indexOf('\n', from);
  if (newline < 0) return { content: text.length, next: text.length };
  return { content: newline > from && text[newline - 1] === '\r' ? newline - 1 : newline, next: newline + 1 };
}

function readRecord(text: string, start: number, delimiter: string, blanks: RegExp): { fields: string[] | undefined; next: number } {
  const fields: string[] = [];
  let position = start;
  // Lines are cut out once: looked for from each field on, their ends would take time by the square of the fields.
  let line = cutLine(text, start);
  for (;;) {
    blanks.lastIndex = position;
    if (blanks.test(text)) position = blanks.lastIndex;
    if (position > line.end) line = cutLine(text, position);
    if (text[position] !== '"') {
      const comma = line.content.indexOf(delimiter, position - line.start);
      const end = comma < 0 ? line.end : line.start + comma;
      const field = text.slice(position, end);
      if (field.includes('"')) return { fields: undefined, next: line.next };
      fields.push(field);
      if (comma < 0) return { fields, next: line.next };
      position = end + 1;
      continue;
    }
    const quoted = readQuoted(text, position + 1);
    if (quoted.next > line.end) line = cutLine(text, quoted.next);
    const follows = text[quoted.next];
    if (!quoted.closed || (follows !== delimiter && quoted.next !== line.end)) return { fields: undefined, next: line.next };
    fields.push(quoted.field);
    if (follows !== delimiter) return { fields, next: line.next };
    position = quoted.next + 1;
  }
}

/** The rest of the line at `start`, its end, and the start of the next one. */
function cutLine(text: string, start: number): { start: number; content: string; end: number; next: number } {
  const { content: end, next } = lineEnd(text, start);
  return { start, content: text.slice(start, end), end, next };
}

function readQuoted(text: string, start: number): { field: string; next: number; closed: boolean } {
  let field = '';
  let position = start;
  for (;;) {
    const quote = text.indexOf('"', position);
    if (quote < 0) return { field, next: text.length, closed: false };
    field += text.slice(position, quote);
    if (text[quote + 1] !== '"') return { field: field.replaceAll('\r\n', '\n'), next: quote + 1, closed: true };
    field += '"';
    position = quote + 2;
  }
}

/** The separator beside a quoted field, or else the one that cuts the first lines into most columns. */
export function guessDelimiter(sample: string): string {
  const quoted = /(?:"[^"]*")+([,@\t;|]?)/.exec(sample);
  const beside = quoted && (delimiterBefore(sample, quoted.index) || quoted[1]);
  if (beside) return beside;
  const lines = sample.replace(/"[^"]*"/g, '').split('\n');
  if (lines.length > SAMPLE_LINES) lines.length = SAMPLE_LINES;
  else if (lines.length > 1 && sample.length >= SAMPLE_LENGTH) lines.pop();
  const text = lines.join('\n');
  let best = { delimiter: ',', columns: 0 };
  for (const delimiter of [',', '\t', ';', '|', '@']) {
    const records = [...readRecords(text, delimiter)];
    const columns = records[0]?.length ?? 0;
    const even = records.every((record) => record?.length === columns);
    if (even && columns > best.columns) best = { delimiter, columns };
  }
  return best.delimiter;
}

/** The separator before a position, with or without blanks between them; undefined if there is none. */
function delimiterBefore(sample: string, place: number): string {
  let at = place - 1;
  while (sample[at] === ' ') at--;
  const before = sample[at] ?? '';
  return /[,@\t;|]/.test(before) ? before : '';
}
