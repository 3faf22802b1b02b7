import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TSchema } from 'typebox';
import { TimeSlice } from '../../concurrency/time-slice.ts';
import { allDefinitions } from '../schema.ts';

type Serializer = (value: unknown) => string;
/** Projects a value to the fields of its shape; undefined for a field that is left out. */
type Projection = (value: unknown) => unknown;
type Node = Readonly<Record<string, unknown>>;

const projections = new WeakMap<object, Projection>();

/**
 * The serializer of a shape, built on first use: fields that are not in the shape are left out. The fields are copied into plain objects
 * for `JSON.stringify`; building the text field by field takes two to three times as long, and leaves as much garbage.
 */
export function serializerOf(shape: TSchema): Serializer {
  const project = projectionOf(shape as unknown as Node);
  return (value) => JSON.stringify(project(required(value)));
}

/** A value with the fields of its shape alone. */
export interface Projected {
  readonly value: unknown;
  /** The characters of its long texts, which tell how much its JSON takes at least. */
  readonly longTexts: number;
  /** Whether it is a list of so much that it was made with pauses. */
  readonly isLarge: boolean;
}

/** The fields of a response that are in its shape. Those of a list with very many values are copied with pauses. */
export async function projected(shape: TSchema, value: unknown): Promise<Projected> {
  const node = shape as unknown as Node;
  if (node.type === 'array' && Array.isArray(value)) return await projectedList(projectionOf(node.items as Node), value);
  charactersMet = 0;
  return { value: projectionOf(node)(required(value)), longTexts: charactersMet, isLarge: false };
}

async function projectedList(project: Projection, list: readonly unknown[]): Promise<Projected> {
  const slice = new TimeSlice();
  const value: unknown[] = [];
  let [longTexts, isLarge] = [0, list.length > MANY];
  for (const item of list) {
    charactersMet = 0;
    value.push(project(item));
    longTexts += charactersMet;
    if (!slice.isOver) continue;
    isLarge = true;
    await slice.next();
  }
  return { value, longTexts, isLarge };
}

/**
 * The JSON of a response. That of a list with very long texts or many values is made with pauses, so that it does not block the thread, and
 * in pieces: joining them would.
 */
export function jsonOf({ value, longTexts, isLarge }: Projected): string | Promise<Buffer[]> {
  return (isLarge || longTexts > MAX_AT_ONCE) && Array.isArray(value) ? inSlices(value) : JSON.stringify(value);
}

/** Shorter texts are not counted. */
const LONG = 10_000;
/** Longer lists are large, even if their items are small: pages are shorter. */
const MANY = 1000;
/** Characters that are sent together, at least. */
const PIECE = 64 * 1024;
/** Characters of long texts that are serialized at once. */
const MAX_AT_ONCE = 1_000_000;
/** The characters of long texts in the value that is being projected. */
let charactersMet = 0;

async function inSlices(items: readonly unknown[]): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let length = 0;
  let text = '[';
  for (const [at, item] of items.entries()) {
    text += (at === 0 ? '' : ',') + JSON.stringify(item);
    if (text.length < PIECE) continue;
    pieces.push(Buffer.from(text));
    length += text.length;
    text = '';
    if (length < MAX_AT_ONCE) continue;
    length = 0;
    await nextTurn();
  }
  pieces.push(Buffer.from(`${text}]`));
  return pieces;
}

function required(value: unknown): unknown {
  if (value === undefined) throw new TypeError('a response with a shape has no value');
  return value;
}

function projectionOf(node: Node): Projection {
  const known = projections.get(node);
  if (known) return known;
  const made = node.nullable ? orNull(build(node)) : build(node);
  projections.set(node, made);
  return made;
}

function orNull(project: Projection): Projection {
  return (value) => (value === null ? null : project(value));
}

function build(node: Node): Projection {
  if (typeof node.$ref === 'string') return byName(node.$ref);
  switch (node.type) {
    case undefined:
      return (value) => value;
    case 'string':
      return text;
    case 'integer':
      return integer;
    case 'number':
      return number;
    case 'boolean':
      return boolean;
    case 'array':
      return list(node.items as Node);
    case 'object':
      if (node.properties) return fields(node.properties as Record<string, Node>);
      return node.additionalProperties ? map(node.additionalProperties as Node) : (value) => (value === null ? {} : value);
    default:
      throw new Error(`no JSON has the type ${node.type}`);
  }
}

/** Definitions can refer to each other, so another one is looked up when its first value is serialized. */
function byName(name: string): Projection {
  let project: Projection | undefined;
  return (value) => {
    project ??= projectionOf(definition(name));
    return project(value);
  };
}

function definition(name: string): Node {
  const found = allDefinitions().get(name);
  if (!found) throw new Error(`no definition ${name}`);
  return found as unknown as Node;
}

/** Generated as one literal, so that all objects of a shape have one layout: see `database/rows.ts`. */
function fields(properties: Record<string, Node>): Projection {
  const names = Object.keys(properties).map((name) => JSON.stringify(name));
  const parameters = names.map((_, at) => `project${at}`);
  const copies = names.map((name, at) => `${name}: ${parameters[at]}(value[${name}])`);
  const make = new Function(...parameters, `return (value) => ({ ${copies.join(', ')} });`);
  const copy: Projection = make(...Object.values(properties).map(projectionOf));
  return (value) => (value === undefined ? undefined : value === null ? {} : copy(value));
}

function list(items: Node): Projection {
  const project = projectionOf(items);
  return (value) => {
    if (value === undefined) return undefined;
    if (value === null) return [];
    if (!Array.isArray(value)) throw new TypeError('a list of a response is not an array');
    return value.map((item) => project(item));
  };
}

function map(values: Node): Projection {
  const project = projectionOf(values);
  return (value) =>
    value === undefined ? undefined : Object.fromEntries(Object.entries(value ?? {}).map(([key, item]) => [key, project(item)]));
}

function text(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONG) charactersMet += value.length;
  return typeof value === 'string' || value === undefined ? value : String(value ?? '');
}

function integer(value: unknown): unknown {
  return Number.isInteger(value) || value === undefined ? value : Math.trunc(finite(value));
}

function number(value: unknown): unknown {
  return value === undefined ? value : finite(value);
}

function finite(value: unknown): number {
  const found = Number(value);
  if (!Number.isFinite(found)) throw new TypeError(`a number of a response is ${found}`);
  return found;
}

function boolean(value: unknown): unknown {
  return value === undefined ? value : Boolean(value);
}
