import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import type { ExpressionData } from '@actions/expressions/data/index';
import type { FunctionDefinition } from '@actions/expressions/funcs/info';
import { WorkflowError } from './error.ts';

/** The contexts of expressions. */
export interface ExpressionContexts {
  readonly github: object;
  readonly vars: Readonly<Record<string, string>>;
  readonly inputs: object;
  readonly needs?: object;
  readonly matrix?: object;
  readonly strategy?: object;
}

/** The names of contexts; those that only a runner knows are empty. */
const CONTEXTS = ['github', 'gitea', 'env', 'job', 'steps', 'runner', 'secrets', 'vars', 'strategy', 'matrix', 'needs', 'inputs'];
/** Functions whose results only a runner knows. */
const FUNCTIONS: readonly FunctionDefinition[] = ['always', 'success', 'failure', 'cancelled', 'hashFiles'].map((name) => ({
  name,
  minArgs: 0,
  maxArgs: 255,
  call: () => new data.StringData(''),
}));
const BY_NAME = new Map(FUNCTIONS.map((info) => [info.name.toLowerCase(), info]));
/** Total length limit of the results of a file's expressions. */
const MAX_RESULT = 1024 * 1024;

/** Names of contexts that differ from run to run. */
const OF_RUN = /\b(?:github|gitea|vars|inputs)\b/i;

/** Evaluates the expressions of a file. */
export class Expressions {
  readonly #known: ExpressionContexts;
  /** Shared with instances derived from this one. */
  readonly #uses: { run: boolean };
  #contexts: data.Dictionary | undefined;

  constructor(known: ExpressionContexts, uses: { run: boolean } = { run: false }) {
    this.#known = known;
    this.#uses = uses;
  }

  /** The same with another matrix. */
  with(parts: Partial<Pick<ExpressionContexts, 'matrix' | 'strategy' | 'needs'>>): Expressions {
    const { github, vars, inputs } = this.#known;
    return new Expressions({ github, vars, inputs, ...parts }, this.#uses);
  }

  /** Whether one of the expressions so far depends on the run. */
  get dependOnRun(): boolean {
    return this.#uses.run;
  }

  /**
   * A text with its expressions evaluated; a single expression keeps its type.
   * @throws WorkflowError for an expression that cannot be evaluated
   */
  evaluate(text: string): unknown {
    const parts = splitExpressions(text);
    const [only] = parts;
    if (parts.length === 1 && only?.isExpression) return fromData(this.#value(only.text));
    const result = withoutNul(parts.map((part) => (part.isExpression ? this.#value(part.text).coerceString() : part.text)).join(''));
    if (result.length > MAX_RESULT) throw new WorkflowError('an expression makes too long a text');
    return result;
  }

  /** A text with its expressions evaluated. Empty if one cannot be evaluated. */
  interpolate(text: string): string {
    if (!hasExpression(text)) return text;
    try {
      return asText(this.evaluate(text));
    } catch (error) {
      if (error instanceof WorkflowError) return '';
      throw error;
    }
  }

  /** Most files need none, so they are converted on first use. */
  get #dictionary(): data.Dictionary {
    const { github, vars, inputs, needs = {}, matrix = {}, strategy = {} } = this.#known;
    const known: Record<string, unknown> = { github, gitea: github, vars, inputs, needs, matrix, strategy };
    this.#contexts ??= new data.Dictionary(...CONTEXTS.map((key) => ({ key, value: toData(known[key] ?? {}) })));
    return this.#contexts;
  }

  #value(expression: string): ExpressionData {
    if (OF_RUN.test(expression)) this.#uses.run = true;
    try {
      const { tokens } = new Lexer(expression).lex();
      const parsed = new Parser(tokens, CONTEXTS, [...FUNCTIONS]).parse();
      if (!parsed) return new data.Null();
      const value = new Evaluator(parsed, this.#dictionary, BY_NAME).evaluate();
      if (value.coerceString().length > MAX_RESULT) throw new Error('the result is too long');
      return value;
    } catch (error) {
      throw new WorkflowError(`the expression ${JSON.stringify(expression.slice(0, 200))}: ${(error as Error).message}`);
    }
  }
}

/** Whether a text has an expression in it. */
export function hasExpression(text: string): boolean {
  return text.includes('${{') && text.includes('}}');
}

/** The value of an expression as a text. A list or a mapping is only named, as on GitHub. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return 'Array';
  return typeof value === 'object' ? 'Object' : String(value);
}

/** A part of a text: literal, or an expression without its braces. */
export interface Part {
  readonly isExpression: boolean;
  readonly text: string;
}

/**
 * The texts and expressions of a text. Braces within quotes of an expression do not end it.
 * @throws WorkflowError for one that does not end
 */
export function splitExpressions(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('${{', at);
    if (start === -1) break;
    const end = endOfExpression(text, start + 3);
    if (end === -1) throw new WorkflowError('an expression does not end');
    if (start > at) parts.push({ isExpression: false, text: text.slice(at, start) });
    parts.push({ isExpression: true, text: text.slice(start + 3, end).trim() });
    at = end + 2;
  }
  if (at < text.length) parts.push({ isExpression: false, text: text.slice(at) });
  return parts;
}

function endOfExpression(text: string, start: number): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "'") isQuoted = !isQuoted;
    else if (!isQuoted && text.startsWith('}}', at)) return at;
  }
  return -1;
}

/** A plain value as the evaluator knows it. */
export function toData(value: unknown): ExpressionData {
  if (value === null || value === undefined) return new data.Null();
  if (typeof value === 'string') return new data.StringData(value);
  if (typeof value === 'number') return new data.NumberData(value);
  if (typeof value === 'boolean') return new data.BooleanData(value);
  if (Array.isArray(value)) {
    const list = new data.Array();
    for (const item of value) list.add(toData(item));
    return list;
  }
  const dictionary = new data.Dictionary();
  for (const [key, item] of Object.entries(value)) dictionary.add(key, toData(item));
  return dictionary;
}

/** The inverse of {@link toData}, also for results of expressions. */
export function fromData(value: ExpressionData): unknown {
  switch (value.kind) {
    case data.Kind.Array:
      return value.values().map(fromData);
    case data.Kind.Dictionary:
      return Object.fromEntries(value.pairs().map((pair) => [withoutNul(pair.key), fromData(pair.value)]));
    case data.Kind.Null:
      return null;
    case data.Kind.String:
      return withoutNul(value.value);
    default:
      return value.value;
  }
}

/** Expressions can create NUL with `fromJSON`, which PostgreSQL cannot store. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
