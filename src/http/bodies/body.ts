import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { HttpError, unprocessable } from '../errors.ts';
import type { Definition } from '../schema.ts';
import { resolve, type SchemaNode } from '../schema-node.ts';
import { goNameOf, isTooLong, validate } from '../validation.ts';
import { parseJsonBody, refuseManyParts } from './json-body.ts';
import { readWholeBody } from './whole-body.ts';

const MAX_DEPTH = 64;
/** Bytes of a body from which others are served between the steps of its parsing. */
const LARGE = 1024 * 1024;
/** Maximum number of fields of a form. */
const MAX_FIELDS = 10_000;

/** A value has another type than the shape declares. */
class MismatchError extends Error {}

/**
 * Reads the whole body of a request.
 * @throws HttpError 413 when it is larger than `limit` bytes
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, 'request body is too large', { headers: { connection: 'close' } });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const body = await readWholeBody(request, limit);
  if (!body) throw tooLarge();
  return body;
}

/**
 * Converts the body of a request to the shape of its route: JSON, or a form whose fields have the shape's names or those of
 * Gitea's forms. Names are matched case-insensitively, unknown ones are ignored, null counts as missing.
 * @throws HttpError 422 `[Field]: Reason`, or `[]: …` for a body that cannot be parsed
 */
export async function bindBody(
  request: IncomingMessage,
  shape: Definition,
  limit: number,
  readForm: (request: IncomingMessage) => Promise<Record<string, string[]>>,
): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  const needsBody = request.method === 'POST' || request.method === 'PUT';
  const query = request.url?.split('?')[1] ?? '';
  // A PATCH or DELETE without a body may have its parameters in the query.
  if (!needsBody && type === '') return checked(shape, fromForm(shape, formFields(new URLSearchParams(query))));
  if (type.includes('form-urlencoded')) {
    // The query supplies what the body leaves out.
    const body = await readBody(request, limit);
    refuseManyFields(body);
    const form = `${body.toString('utf8')}&${query}`;
    return checked(shape, fromForm(shape, formFields(new URLSearchParams(form))));
  }
  if (type.includes('multipart/form-data')) return checked(shape, fromForm(shape, await readForm(request)));
  if (!type.includes('json')) throw unprocessable(`[]: ${type === '' ? 'Empty Content-Type' : 'Unsupported Content-Type'}`);
  const body = await readBody(request, limit);
  await refuseManyParts(body);
  const text = body.toString('utf8');
  if (body.length > LARGE) await nextTurn();
  return checked(shape, parseJsonBody(text));
}

function refuseManyFields(form: Buffer): void {
  let fields = 0;
  for (let at = form.indexOf('&'); at >= 0; at = form.indexOf('&', at + 1))
    if (++fields > MAX_FIELDS) throw unprocessable(`[]: more than ${MAX_FIELDS} fields`);
}

/**
 * Converts a value to a shape, for example the fields of a page's form.
 * @throws HttpError 422 `[Field]: Reason`
 */
export function bindValue<T extends Definition>(shape: T, input: unknown): Static<T> {
  return checked(shape, input) as Static<T>;
}

function checked(shape: TSchema, input: unknown): unknown {
  let value: unknown;
  try {
    value = bind(shape as SchemaNode, input, '', 0) ?? {};
  } catch (error) {
    if (error instanceof MismatchError) throw unprocessable(`[]: ${error.message}`);
    throw error;
  }
  validate(shape as SchemaNode, value);
  return value;
}

function bind(reference: SchemaNode, value: unknown, at: string, depth: number): unknown {
  if (value === null || value === undefined) return undefined;
  const node = resolve(reference);
  if (depth > MAX_DEPTH) throw new MismatchError(`${at} is nested too deeply`);
  // Validation refuses it.
  if (isTooLong(node, value)) return value;
  switch (node.type) {
    case 'string':
      return bindString(node, value, at);
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

function bindString({ unbounded, format }: SchemaNode, value: unknown, at: string): string {
  if (typeof value !== 'string') throw mismatch(at, value, 'a string');
  // PostgreSQL cannot store NUL in a text; unbounded fields are never stored as they are.
  if (!unbounded && value.includes('\0')) throw new MismatchError(`${at} has a NUL character in it`);
  if (format === 'date-time' && !isTimestamp(value)) throw mismatch(at, value, 'a timestamp (RFC 3339)');
  return value;
}

function bindFields(properties: Record<string, SchemaNode>, value: object, at: string, depth: number): Record<string, unknown> {
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
function lowerNames(properties: Record<string, SchemaNode>): Map<string, string> {
  const known = lowerNameCache.get(properties);
  if (known) return known;
  const made = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  lowerNameCache.set(properties, made);
  return made;
}

function bindMap(node: SchemaNode, value: object, at: string, depth: number): Record<string, unknown> {
  const bound: Record<string, unknown> = Object.create(null);
  const values = node.additionalProperties ?? {};
  for (const [key, item] of Object.entries(value)) bound[key] = bind(values, item, `${at}.${key}`, depth + 1) ?? zero(values);
  return { ...bound };
}

function zero(node: SchemaNode): unknown {
  const { type, properties } = resolve(node);
  if (properties) return {};
  return type === 'string' ? '' : type === 'integer' || type === 'number' ? 0 : type === 'boolean' ? false : null;
}

function mismatch(at: string, value: unknown, wanted: string): MismatchError {
  const kind = Array.isArray(value) ? 'a list' : typeof value === 'number' ? 'a number' : `a ${typeof value}`;
  return new MismatchError(at ? `${at} is ${kind}, but has to be ${wanted}` : `the body is ${kind}, but has to be ${wanted}`);
}

/** RFC 3339, section 5.6, with its letters in upper case, on a day that the calendar has; no leap seconds, and no hour 24. */
function isTimestamp(text: string): boolean {
  const [, day = '', hour = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d):\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (day === '' || hour === '24' || Number.isNaN(Date.parse(text))) return false;
  // In UTC the year must have four digits too, as responses write it.
  return /^\d{4}-/.test(new Date(text).toISOString()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
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

/** The name that Gitea's forms have for a field: its name in Go in lower case, with underscores. */
function formName(node: SchemaNode, name: string): string {
  return (goNameOf(node, name).match(/[A-Z]+(?![a-z0-9])|[A-Z]?[a-z0-9]+/g) ?? []).join('_').toLowerCase();
}

function fromForm(shape: TSchema, fields: Record<string, string[]>): Record<string, unknown> {
  const properties = (shape as SchemaNode).properties ?? {};
  const value: Record<string, unknown> = {};
  for (const [name, node] of Object.entries(properties)) {
    const given = fields[formName(node, name)] ?? fields[name];
    const resolved = resolve(node);
    if (resolved.type === 'object') value[name] = fromEntries(resolved, fields, name);
    else if (given !== undefined) value[name] = fromTexts(resolved, given, name);
  }
  return value;
}

/** The values of a map by key, from fields named `name[key]`; undefined without any. */
function fromEntries({ additionalProperties: values }: SchemaNode, fields: Record<string, string[]>, name: string): object | undefined {
  if (typeof values !== 'object') return undefined;
  const entries = Object.entries(fields).flatMap(([field, given]) =>
    field.startsWith(`${name}[`) && field.endsWith(']')
      ? [[field.slice(name.length + 1, -1), fromTexts(resolve(values), given, field)] as const]
      : [],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function fromTexts(node: SchemaNode, given: readonly string[], name: string): unknown {
  return node.type === 'array'
    ? given.map((text) => fromText(resolve(node.items ?? {}), text, name))
    : fromText(node, given[0] ?? '', name);
}

function fromText({ type, format }: SchemaNode, text: string, name: string): unknown {
  // An empty field of a form is not a time.
  if (format === 'date-time' && text === '') return undefined;
  const unread = (kind: string) => unprocessable(`[${name}]: Value could not be parsed as ${kind}`);
  if (type === 'boolean') {
    if (/^(1|t|true|on)$/i.test(text)) return true;
    if (!/^(0|f|false)?$/i.test(text)) throw unread('boolean');
    return false;
  }
  if (type === 'integer') {
    if (!/^[+-]?\d{0,19}$/.test(text) || !Number.isSafeInteger(Number(text))) throw unread('integer');
    return Number(text);
  }
  if (type === 'number') {
    if (!Number.isFinite(Number(text))) throw unread('64-bit float');
    return Number(text);
  }
  return text;
}
