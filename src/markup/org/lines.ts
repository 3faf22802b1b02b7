/** What a line of an Org document is. */
export type LineKind =
  | 'headline'
  | 'drawer'
  | 'drawerEnd'
  | 'block'
  | 'blockEnd'
  | 'results'
  | 'list'
  | 'table'
  | 'rule'
  | 'keyword'
  | 'comment'
  | 'footnote'
  | 'example'
  | 'text';

/** One line, recognized. */
export interface Line {
  kind: LineKind;
  /** Columns before its first character. */
  indent: number;
  /** What matters of it, by kind: title, name, text. */
  content: string;
  /** Further parts, by kind. */
  parts: readonly string[];
  source: string;
}

// In the order in which they are tried (https://orgmode.org/worg/org-syntax.html).
const PATTERNS: readonly (readonly [LineKind, RegExp, content: number])[] = [
  ['headline', /^(\*+)[ \t]+(.*)/, 2],
  ['drawerEnd', /^(\s*):END:\s*$/i, 1],
  ['drawer', /^(\s*):(\S+):\s*$/, 2],
  ['block', /^(\s*)#\+BEGIN_(\w+)(.*)/i, 2],
  ['blockEnd', /^(\s*)#\+END_(\w+)/i, 2],
  ['results', /^(\s*)#\+RESULTS:/i, 1],
  ['list', /^(\s*)([+*-]|(?:\d{1,9}|[a-zA-Z])[.)])(?:\s+(.*)|$)/, 3],
  ['table', /^(\s*)(\|.*)/, 2],
  ['rule', /^(\s*)-{5,}\s*$/, 1],
  ['keyword', /^(\s*)#\+([^:]+):(?:\s+(.*)|$)/, 2],
  ['comment', /^(\s*)#\s(.*)/, 2],
  ['footnote', /^()\[fn:([\w-]+)\](?:\s+(.+)|\s*$)/, 2],
  ['example', /^(\s*):(?:\s(.*)|\s*$)/, 2],
];

/** Recognizes one line. */
export function readLine(source: string): Line {
  for (const [kind, pattern, content] of PATTERNS) {
    const match = pattern.exec(source);
    if (!match) continue;
    const parts = match.map((part) => part ?? '');
    return { kind, indent: kind === 'headline' ? 0 : (parts[1] ?? '').length, content: parts[content] ?? '', parts, source };
  }
  const content = source.trimStart();
  return { kind: 'text', indent: source.length - content.length, content, parts: [], source };
}

/** Whether nothing stands in the line. */
export const isBlank = (line: Line | undefined): boolean => line?.kind === 'text' && line.content.trim() === '';
