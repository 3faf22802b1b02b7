import { RE2JS, RE2JSException } from 're2js';
import { fold } from '../index/fold.ts';
import { type Query, QueryError, type Term } from '../query/query.ts';
import { bestClause, type Clause, clausesOf, clausesOfText } from '../query/requirements.ts';

/** A part of a text, by UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds a term in texts. */
export interface TermMatcher {
  /** The literals that a matching text must contain. */
  readonly clauses: readonly Clause[];
  /**
   * Calls `take` with each match, in order, none across lines, until it returns false.
   * @param until the value of `performance.now()` at which it stops
   */
  find(text: string, take: (span: Span) => boolean, until: number): void;
}

/** Instructions of an expression: with more, each character of a text takes too long. */
const MAX_PROGRAM = 2000;
/** Of longer lines an expression sees parts of this length. */
const MAX_LINE = 4096;

/**
 * The matchers of a search, one for each term.
 * @throws QueryError for an expression that cannot be read
 */
export function matchersOf({ terms, isCaseSensitive }: Pick<Query, 'terms' | 'isCaseSensitive'>): TermMatcher[] {
  return terms.map((term) => (term.kind === 'text' ? textMatcher(term, isCaseSensitive) : expressionMatcher(term, isCaseSensitive)));
}

/** A literal expression cannot backtrack: it has one way to match. */
function literalOf(texts: readonly string[], isCaseSensitive: boolean): RegExp {
  return new RegExp(texts.map((text) => RegExp.escape(text)).join('|'), isCaseSensitive ? 'gu' : 'giu');
}

function textMatcher({ text }: Term & { kind: 'text' }, isCaseSensitive: boolean): TermMatcher {
  const literal = literalOf([text], isCaseSensitive);
  return {
    clauses: clausesOfText(text),
    find: (searched, take, until) => {
      for (const { index, 0: found } of searched.matchAll(literal)) {
        if (!take({ start: index, end: index + found.length }) || performance.now() > until) return;
      }
    },
  };
}

function expressionMatcher({ source }: Term & { kind: 'expression' }, isCaseSensitive: boolean): TermMatcher {
  const compiled = compile(source, isCaseSensitive);
  const clauses = clausesOf(source);
  const needed = bestClause(clauses);
  const literal = needed && literalOf(needed, false);
  return {
    clauses,
    find: (text, take, until) => {
      for (const line of literal ? linesWith(text, literal) : linesOf(text)) {
        if (performance.now() > until || !findInLine(compiled, text, line, take)) return;
      }
    },
  };
}

function compile(source: string, isCaseSensitive: boolean): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (error instanceof RE2JSException) throw new QueryError(complaintOf(error));
    throw error;
  }
  if (compiled.programSize() > MAX_PROGRAM) throw new QueryError('the expression is too large');
  return compiled;
}

/** Without the additions of the matcher. */
function complaintOf({ message }: Error): string {
  return `the expression cannot be read: ${message.replace('error parsing regexp: ', '').replace('`(?i)', '`')}`;
}

/** An empty match does not count. */
function findInLine(compiled: RE2JS, text: string, { start, end }: Span, take: (span: Span) => boolean): boolean {
  const matcher = compiled.matcher(text.slice(start, end));
  while (matcher.find()) {
    const span = { start: start + matcher.start(), end: start + matcher.end() };
    if (span.end > span.start && !take(span)) return false;
  }
  return true;
}

function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start);
    for (let at = start; at < end; at += MAX_LINE) yield { start: at, end: Math.min(end, at + MAX_LINE) };
    start = end + 1;
  }
}

/** The lines that have a literal; of long ones the parts around it. */
function* linesWith(text: string, literal: RegExp): Generator<Span> {
  for (let at = 0; ; ) {
    literal.lastIndex = at;
    const found = literal.exec(text);
    if (!found) return;
    const { index } = found;
    const start = Math.max(at, text.lastIndexOf('\n', index - 1) + 1, index - MAX_LINE / 2);
    const end = Math.min(endOfLine(text, index), start + MAX_LINE);
    yield { start, end };
    at = Math.max(end, index + found[0].length);
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Whether a path fulfils a condition of `path:`. */
export function pathMatcher(value: string): (path: string) => boolean {
  if (!/[*?]/.test(value)) return (path) => fold(path).includes(fold(value));
  const parts = fold(value).split(/(\*+|\?)/);
  const source = parts.map((part) => (part.startsWith('**') ? '.*' : part === '*' ? '[^/]*' : part === '?' ? '[^/]' : RE2JS.quote(part)));
  // `*.ts` is in every folder, as in `.gitignore`.
  const compiled = RE2JS.compile(`(?s)^${value.includes('/') ? '' : '(?:.*/)?'}${source.join('')}$`);
  return (path) => compiled.matcher(fold(path)).find();
}
