import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { WorkflowError } from './error.ts';

/** Where something is in the file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A text, number, truth value or null. */
export interface ScalarTree {
  readonly kind: 'scalar';
  /** As it is written, without quotes. */
  readonly text: string;
  readonly value: string | number | boolean | null;
  readonly at: Position;
}
export interface ListTree {
  readonly kind: 'list';
  readonly items: readonly Tree[];
  readonly at: Position;
}
/** Keys in their order; a key that is there twice is an error. */
export interface MappingTree {
  readonly kind: 'mapping';
  readonly entries: ReadonlyMap<string, Tree>;
  readonly at: Position;
}
/** A YAML document without aliases and merge keys. */
export type Tree = ScalarTree | ListTree | MappingTree;

/** Nodes that a file stands for once its aliases are followed: a small file could stand for a huge one. */
const MAX_NODES = 50_000;
const MAX_DEPTH = 60;
/** Brackets within brackets that no honest file has: reading them takes long. */
const TOO_DEEP = /(?:[[{]\s*){40}/;

/**
 * Reads the first document of a YAML text. Those after it do not count.
 * @throws WorkflowError
 */
export function parseTree(text: string): Tree {
  if (TOO_DEEP.test(text)) throw new WorkflowError('the file is nested too deeply');
  const lines = new LineCounter();
  const document = parse(text, lines);
  const problem = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new WorkflowError(`line ${line}, column ${col}: ${problem.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')}`);
  }
  return new Reader(document, lines).read(document.contents, 0);
}

function parse(text: string, lines: LineCounter) {
  try {
    return parseDocument(text, { uniqueKeys: false, lineCounter: lines, keepSourceTokens: false });
  } catch (error) {
    throw new WorkflowError((error as Error).message.split('\n')[0]);
  }
}

/** An error about a part of the file. */
export function wrong({ at }: Pick<Tree, 'at'>, message: string): WorkflowError {
  return new WorkflowError(`line ${at.line}, column ${at.column}: ${message}`);
}

class Reader {
  readonly #document: Document;
  readonly #lines: LineCounter;
  #nodes = 0;

  constructor(document: Document, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  read(node: unknown, depth: number): Tree {
    const at = this.#positionOf(node);
    if (++this.#nodes > MAX_NODES) throw wrong({ at }, 'the file has too many parts');
    if (depth > MAX_DEPTH) throw wrong({ at }, 'the file is nested too deeply');
    if (isAlias(node)) {
      const target = node.resolve(this.#document);
      if (!target) throw wrong({ at }, `there is no anchor ${node.source}`);
      return this.read(target, depth + 1);
    }
    if (isSeq(node)) return { kind: 'list', at, items: node.items.map((item) => this.read(item, depth + 1)) };
    if (isMap(node)) return this.#mapping(node.items, at, depth);
    return scalar(node, at);
  }

  #mapping(pairs: readonly { key: unknown; value: unknown }[], at: Position, depth: number): MappingTree {
    const entries = new Map<string, Tree>();
    const merged: Tree[] = [];
    for (const { key, value } of pairs) {
      const name = this.read(key, depth + 1);
      if (name.kind !== 'scalar') throw wrong(name, 'a key has to be a text');
      const tree = this.read(value, depth + 1);
      if (name.text === '<<') merged.push(...(tree.kind === 'list' ? tree.items : [tree]));
      else if (entries.has(name.text)) throw wrong(name, `the key ${JSON.stringify(name.text)} is there twice`);
      else entries.set(name.text, tree);
    }
    for (const tree of merged) {
      if (tree.kind !== 'mapping') throw wrong(tree, 'only a mapping can be merged');
      for (const [name, value] of tree.entries) if (!entries.has(name)) entries.set(name, value);
    }
    return { kind: 'mapping', at, entries };
  }

  #positionOf(node: unknown): Position {
    const offset = (node as Node | null)?.range?.[0];
    if (offset === undefined) return { line: 1, column: 1 };
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}

function scalar(node: unknown, at: Position): ScalarTree {
  if (!isScalar(node)) return { kind: 'scalar', text: '', value: null, at };
  const { value, source } = node;
  if (value === null || value === undefined) return { kind: 'scalar', text: '', value: null, at };
  if (typeof value === 'number' || typeof value === 'boolean') return { kind: 'scalar', text: source ?? String(value), value, at };
  const text = typeof value === 'string' ? value : (source ?? String(value));
  // PostgreSQL keeps none.
  if (text.includes('\0')) throw wrong({ at }, 'a text has a NUL');
  return { kind: 'scalar', text, value: text, at };
}
