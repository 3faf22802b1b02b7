import type { IncomingMessage } from 'node:http';
import type { TSchema } from 'typebox';
import { HttpError, unprocessable } from './errors.ts';
import { allDefinitions, type Definition } from './schema.ts';

/** A schema as the plain JSON that TypeBox keeps. */
interface Node {
  $ref?: string;
  type?: string;
  format?: string;
  properties?: Record<string, Node>;
  items?: Node;
  additionalProperties?: Node;
  enum?: readonly unknown[];
  allowed?: readonly string[];
  maxLength?: number;
  minLength?: number;
  unbounded?: boolean;
  minimum?: number;
  maximum?: number;
  rule?: string;
  goName?: string;
  /** The fields that must be given and not be empty. */
  needed?: readonly string[];
}

const MAX_DEPTH = 64;
/** Characters of a text that says nothing else: lists show fifty of them at once. */
const MAX_TEXT = 1_000_000;
/** Items of a list: less than the variables that a statement may have. */
const MAX_ITEMS = 20_000;

/** The value at a place has another type than the shape says. */
class MismatchError extends Error {}

/**
 * Reads a request's body whole.
 * @throws HttpError 413 when it is larger than `limit` bytes
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, 'request body is too large', { headers: { connection: 'close' } });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

/**
 * Turns a request's body into the shape that the route takes: JSON, or a form whose fields have the shape's names.
 * Names are matched without regard to case, unknown ones are ignored, null counts as not given.
 * @throws HttpError 422 `[Field]: Reason`, or `[]: …` for what cannot be read at all
 */
export async function bindBody(
  request: IncomingMessage,
  shape: Definition,
  limit: number,
  readForm: (request: IncomingMessage) => Promise<Record<string, string[]>>,
): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  // What is neither made nor replaced may be without a body: then the query says what is meant, if anything.
  const needsBody = request.method === 'POST' || request.method === 'PUT';
  if (!needsBody && type === '') return checked(shape, fromForm(shape, formFields(new URLSearchParams(request.url?.split('?')[1] ?? ''))));
  if (type.includes('form-urlencoded')) {
    return checked(shape, fromForm(shape, formFields(new URLSearchParams((await readBody(request, limit)).toString('utf8')))));
  }
  if (type.includes('multipart/form-data')) return checked(shape, fromForm(shape, await readForm(request)));
  if (!type.includes('json')) throw unprocessable(`[]: ${type === '' ? 'Empty Content-Type' : 'Unsupported Content-Type'}`);
  const text = (await readBody(request, limit)).toString('utf8').trim();
  return checked(shape, text === '' ? {} : parse(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unprocessable(`[]: ${(error as Error).message}`);
  }
}

function checked(shape: TSchema, input: unknown): unknown {
  let value: unknown;
  try {
    value = bind(shape as Node, input, '', 0) ?? {};
  } catch (error) {
    if (error instanceof MismatchError) throw unprocessable(`[]: ${error.message}`);
    throw error;
  }
  validate(shape as Node, value);
  return value;
}

function resolve(node: Node): Node {
  if (!node.$ref) return node;
  const target = allDefinitions().get(node.$ref);
  if (!target) throw new Error(`no definition ${node.$ref}`);
  return target as Node;
}

function bind(reference: Node, value: unknown, at: string, depth: number): unknown {
  if (value === null || value === undefined) return undefined;
  const node = resolve(reference);
  if (depth > MAX_DEPTH) throw new MismatchError(`${at} is nested too deeply`);
  switch (node.type) {
    case 'string':
      if (typeof value !== 'string') throw mismatch(at, value, 'a string');
      // PostgreSQL keeps no NUL in a text, and none has a place in one.
      if (value.includes('\0')) throw new MismatchError(`${at} has a NUL character in it`);
      if (node.format === 'date-time' && !isTimestamp(value)) throw mismatch(at, value, 'a timestamp (RFC 3339)');
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(at, value, 'a boolean');
      return value;
    case 'integer':
      if (!Number.isSafeInteger(value)) throw mismatch(at, value, 'an integer');
      return value;
    case 'number':
      if (typeof value !== 'number') throw mismatch(at, value, 'a number');
      return value;
    case 'array':
      if (!Array.isArray(value)) throw mismatch(at, value, 'a list');
      return value.map((item, index) => bind(node.items ?? {}, item, `${at}[${index}]`, depth + 1) ?? zero(node.items ?? {}));
    case 'object':
      if (typeof value !== 'object' || Array.isArray(value)) throw mismatch(at, value, 'an object');
      return node.properties ? bindFields(node.properties, value, at, depth) : bindMap(node, value, at, depth);
    default:
      return value;
  }
}

function bindFields(properties: Record<string, Node>, value: object, at: string, depth: number): Record<string, unknown> {
  const bound: Record<string, unknown> = {};
  const byLowerName = lowerNames(properties);
  for (const [key, item] of Object.entries(value)) {
    const name = key in properties ? key : byLowerName.get(key.toLowerCase());
    if (name === undefined || !Object.hasOwn(properties, name)) continue;
    const field = bind(properties[name] ?? {}, item, at ? `${at}.${name}` : name, depth + 1);
    if (field !== undefined) bound[name] = field;
    else delete bound[name];
  }
  return bound;
}

const lowerNameCache = new WeakMap<object, Map<string, string>>();
function lowerNames(properties: Record<string, Node>): Map<string, string> {
  const known = lowerNameCache.get(properties);
  if (known) return known;
  const made = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  lowerNameCache.set(properties, made);
  return made;
}

function bindMap(node: Node, value: object, at: string, depth: number): Record<string, unknown> {
  const bound: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) bound[key] = bind(node.additionalProperties ?? {}, item, `${at}.${key}`, depth + 1);
  return { ...bound };
}

function zero(node: Node): unknown {
  const { type, properties } = resolve(node);
  if (properties) return {};
  return type === 'string' ? '' : type === 'integer' || type === 'number' ? 0 : type === 'boolean' ? false : null;
}

function mismatch(at: string, value: unknown, wanted: string): MismatchError {
  const kind = Array.isArray(value) ? 'a list' : typeof value === 'number' ? 'a number' : `a ${typeof value}`;
  return new MismatchError(at ? `${at} is ${kind}, but has to be ${wanted}` : `the body is ${kind}, but has to be ${wanted}`);
}

function isTimestamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The fields of a form by name, each with all its values. */
export function formFields(parameters: URLSearchParams): Record<string, string[]> {
  const fields: Record<string, string[]> = Object.create(null);
  for (const [name, value] of parameters) {
    fields[name] ??= [];
    fields[name].push(value);
  }
  return fields;
}

function fromForm(shape: TSchema, fields: Record<string, string[]>): Record<string, unknown> {
  const properties = (shape as Node).properties ?? {};
  const value: Record<string, unknown> = {};
  for (const [name, node] of Object.entries(properties)) {
    const given = fields[name];
    if (given === undefined) continue;
    value[name] = resolve(node).type === 'array' ? given : fromText(name, resolve(node), given[0] ?? '');
  }
  return value;
}

/** What a field of a form says; an empty one says no, nothing or no moment. */
function fromText(name: string, { type, format }: Node, text: string): unknown {
  const unread = (kind: string) => unprocessable(`[${name}]: Value could not be parsed as ${kind}`);
  if (type === 'boolean') {
    if (!/^(1|t|true|on|0|f|false|)$/i.test(text)) throw unread('boolean');
    return /^(1|t|true|on)$/i.test(text);
  }
  if (type === 'integer') {
    if (!/^([+-]?\d+|)$/.test(text)) throw unread('integer');
    return Number(text);
  }
  if (type === 'number') {
    if (text.trim() !== text || Number.isNaN(Number(text))) throw unread('float');
    return Number(text);
  }
  return format === 'date-time' && text === '' ? undefined : text;
}

function validate(node: Node, value: unknown): void {
  if (typeof value !== 'object' || value === null || !node.properties) return;
  for (const [name, property] of Object.entries(node.properties)) {
    const field = (value as Record<string, unknown>)[name];
    const fault = faultOf(property, field, node.needed?.includes(name) ?? false);
    if (fault) throw unprocessable(`[${goNameOf(property, name)}]: ${fault}`);
    validate(resolve(property), field);
    if (!Array.isArray(field) || !property.items) continue;
    const items = resolve(property.items);
    for (const item of field) {
      if (typeof item === 'string' && isLonger(item, items.maxLength ?? MAX_TEXT))
        throw unprocessable(`[${goNameOf(property, name)}]: MaxSize`);
      validate(items, item);
    }
  }
}

function goNameOf({ goName: given }: Node, name: string): string {
  return given ?? goName(name);
}

function faultOf(node: Node, value: unknown, required: boolean): string | undefined {
  if (required && isZero(value)) return 'Required';
  if (typeof value === 'string') {
    if (node.rule && value !== '' && !RULES[node.rule]?.(value, node)) return node.rule === 'Username' ? 'invalid username' : node.rule;
    if (node.minLength !== undefined && length(value) < node.minLength && value !== '') return 'MinSize';
    if (!node.unbounded && isLonger(value, node.maxLength ?? MAX_TEXT)) return 'MaxSize';
  }
  if (Array.isArray(value) && value.length > MAX_ITEMS) return 'MaxSize';
  if (typeof value === 'number') {
    if (node.minimum !== undefined && value < node.minimum) return 'Range';
    if (node.maximum !== undefined && value > node.maximum) return 'Range';
  }
  return undefined;
}

function isZero(value: unknown): boolean {
  return value === undefined || value === '' || value === 0;
}

/** Whether a text has more characters than this; one takes one or two units. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || length(text) > limit);
}

function length(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** `dot.atoms@labels.of.a.domain` (RFC 5322, without quotes, comments and addresses in brackets). */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    labels.length > 1 &&
    labels.every((label) => /^\w(?:[\w-]*\w)?$/.test(label)) &&
    text
      .slice(0, at)
      .split('.')
      .every((atom) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(atom))
  );
}

const RULES: Record<string, (text: string, node: Node) => boolean> = {
  AlphaDash: (text) => /^[\w-]+$/.test(text),
  AlphaDashDot: (text) => /^[\w.-]+$/.test(text),
  Username: (text) => /^[\da-zA-Z][-.\w]*$/.test(text) && !/[-._]{2,}|[-._]$/.test(text),
  GitRefName: (text) => !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|\.lock$|^-/.test(text),
  GlobPattern: (text) => text.length <= 1000 && !/[\x00-\x1f\x7f]/.test(text),
  Email: isEmail,
  Url: (text) => URL.canParse(text) && /^https?:/i.test(text),
  In: (text, node) => (node.allowed ?? node.enum)?.includes(text) ?? true,
};

/** `new_branch_name` → `NewBranchName`: how error messages and the description name a field. */
export function goName(name: string): string {
  return name
    .replace(/(^|_)([a-z0-9])/g, (_, _underscore, letter: string) => letter.toUpperCase())
    .replace(/Url$/, 'URL')
    .replace(/Id$/, 'ID');
}
