import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import type { FunctionDefinition } from '@actions/expressions/funcs/info';
import { asText, fromData, hasExpression, type Part, splitExpressions, toData } from '../actions/workflows/file/evaluate.ts';
import { isPlain, type Plain, scalarText } from './plain.ts';
import { messageOf, RunnerProblem } from './problem.ts';

/** The status of the job, or of the composite action, for functions in conditions. */
export type Status = 'success' | 'failure' | 'cancelled' | 'skipped';

/** The context of an evaluation. */
export interface ExpressionScope {
  /** Contexts by their names, as they are now. */
  readonly contexts: () => Readonly<Record<string, unknown>>;
  readonly status: () => Status;
  /** The hash of the files of these patterns in the workspace; empty without files. */
  readonly hashFiles: (patterns: readonly string[]) => Promise<string>;
}

const CONTEXTS = ['github', 'gitea', 'env', 'job', 'steps', 'runner', 'secrets', 'vars', 'strategy', 'matrix', 'needs', 'inputs', 'jobs'];
const STATUS_FUNCTIONS = ['always', 'success', 'failure', 'cancelled'];
/** Characters that the expressions of one text make. */
const MAX_RESULT = 4 * 1024 * 1024;

/** Evaluates the expressions of jobs and actions while they run. */
export class Expressions {
  readonly #scope: ExpressionScope;

  constructor(scope: ExpressionScope) {
    this.#scope = scope;
  }

  /**
   * The value of what stands in a file: of a text with its expressions evaluated. What stands alone keeps its type.
   * @throws RunnerProblem
   */
  async value(value: unknown): Promise<unknown> {
    if (typeof value !== 'string' || !hasExpression(value)) return value;
    return await this.#withHashes((hashes) => this.#template(value, hashes));
  }

  /**
   * As a text.
   * @throws RunnerProblem
   */
  async text(value: unknown): Promise<string> {
    const found = await this.value(value);
    return asText(found);
  }

  /**
   * A mapping of texts, such as `env`.
   * @throws RunnerProblem
   */
  async texts(value: unknown): Promise<Record<string, string>> {
    const whole = await this.value(value);
    const entries: [string, string][] = [];
    for (const [key, item] of Object.entries(isPlain(whole) ? whole : {})) entries.push([key, await this.text(item)]);
    return Object.fromEntries(entries);
  }

  /**
   * A value with all that is within it.
   * @throws RunnerProblem
   */
  async deep(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return await Promise.all(value.map((item) => this.deep(item)));
    if (!isPlain(value)) return await this.value(value);
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) entries.push([key, await this.deep(item)]);
    return Object.fromEntries(entries) as Plain;
  }

  /**
   * Whether an `if` holds, with or without braces. Without one, and where it does not ask how things went, all has to be well.
   * @throws RunnerProblem
   */
  async condition(value: unknown): Promise<boolean> {
    const text = typeof value === 'boolean' ? String(value) : scalarText(value).trim();
    const parts = hasExpression(text) ? splitExpressions(text) : [{ isExpression: true, text }];
    const [only] = parts;
    const source = parts.length === 1 && only?.isExpression ? only.text : joined(parts);
    if (source === '') return this.#scope.status() === 'success';
    const isAsking = parts.some((part) => part.isExpression && asksForStatus(part.text));
    if (!isAsking && this.#scope.status() !== 'success') return false;
    return await this.#withHashes((hashes) => !isFalsy(fromData(this.#evaluate(source, hashes))));
  }

  #template(text: string, hashes: Hashes): unknown {
    const parts = splitExpressions(text);
    const [only] = parts;
    if (parts.length === 1 && only?.isExpression) return fromData(this.#evaluate(only.text, hashes));
    const result = parts.map((part) => (part.isExpression ? this.#evaluate(part.text, hashes).coerceString() : part.text)).join('');
    if (result.length > MAX_RESULT) throw new RunnerProblem('an expression makes too long a text');
    return result;
  }

  #evaluate(expression: string, hashes: Hashes) {
    try {
      const { tokens } = new Lexer(expression).lex();
      const functions = this.#functions(hashes);
      const parsed = new Parser(tokens, CONTEXTS, functions).parse();
      if (!parsed) return new data.Null();
      const used = new Set(tokens.map(({ lexeme }) => lexeme.toLowerCase()));
      const known = this.#scope.contexts();
      const pairs = CONTEXTS.filter((name) => used.has(name)).map((key) => ({ key, value: toData(known[key] ?? {}) }));
      const byName = new Map(functions.map((info) => [info.name.toLowerCase(), info]));
      const value = new Evaluator(parsed, new data.Dictionary(...pairs), byName).evaluate();
      if (value.coerceString().length > MAX_RESULT) throw new Error('the result is too long');
      return value;
    } catch (error) {
      throw new RunnerProblem(`the expression ${JSON.stringify(expression.slice(0, 200))}: ${messageOf(error)}`);
    }
  }

  #functions(hashes: Hashes): FunctionDefinition[] {
    const status = this.#scope.status();
    const values: Record<string, boolean> = { always: true, [status]: true };
    const asking = STATUS_FUNCTIONS.map((name) => ({
      name,
      minArgs: 0,
      maxArgs: 255,
      call: () => new data.BooleanData(values[name] === true),
    }));
    const call = (...patterns: { coerceString(): string }[]) =>
      new data.StringData(hashes.of(patterns.map((pattern) => pattern.coerceString())));
    return [...asking, { name: 'hashFiles', minArgs: 1, maxArgs: 255, call }];
  }

  /** Evaluates, and repeats that after computing requested hashes: evaluation itself is synchronous. */
  async #withHashes<T>(evaluate: (hashes: Hashes) => T): Promise<T> {
    const hashes = new Hashes();
    for (;;) {
      const result = evaluate(hashes);
      if (!(await hashes.find(this.#scope.hashFiles))) return result;
    }
  }
}

/** The hashes of files that one evaluation asks for. */
class Hashes {
  readonly #known = new Map<string, string>();
  readonly #wanted = new Map<string, readonly string[]>();

  of(patterns: readonly string[]): string {
    const key = JSON.stringify(patterns);
    const known = this.#known.get(key);
    if (known === undefined) this.#wanted.set(key, patterns);
    return known ?? '';
  }

  /** Computes the requested hashes; returns whether there were any. */
  async find(hashFiles: ExpressionScope['hashFiles']): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const [key, patterns] of wanted) this.#known.set(key, await hashFiles(patterns));
    return wanted.length > 0;
  }
}

function asksForStatus(expression: string): boolean {
  return /\b(?:always|success|failure|cancelled)\s*\(/i.test(expression.replaceAll(/'(?:[^']|'')*'/g, ''));
}

/** Texts and expressions as one expression, which results in a text. */
function joined(parts: readonly Part[]): string {
  const values = parts.map(({ isExpression, text }) => (isExpression ? text : `'${text.replaceAll("'", "''")}'`));
  return `format('${parts.map((_, index) => `{${index}}`).join('')}', ${values.join(', ')})`;
}

/** As GitHub counts values. */
function isFalsy(value: unknown): boolean {
  return value === null || value === false || value === 0 || value === '' || Number.isNaN(value);
}
