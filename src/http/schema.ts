import type { Static, TObject, TOptional, TSchema, TUnsafe } from 'typebox';
import { joined } from '../text/joined.ts';

/**
 * The building blocks of wire shapes. A shape has a type of TypeBox, so its TypeScript type follows from it; validation, serialization and
 * the API description are all derived from the same object. The objects are built here and not by TypeBox: loading it would take a tenth
 * of the server's start.
 */

/** Options of a field besides its type. */
export interface FieldOptions {
  description?: string;
  enum?: readonly (string | number)[];
  format?: string;
  default?: unknown;
  example?: unknown;
  readOnly?: boolean;
  minimum?: number;
  maximum?: number;
  /** Maximum length in characters, a million when left out; a longer text is refused with `MaxSize`. */
  maxLength?: number;
  /** Limited only by the body: files and images in base64, patches. */
  unbounded?: boolean;
  /** Minimum length in characters; a shorter text is refused with `MinSize`. */
  minLength?: number;
  /** For the rule `In`: the allowed values, where the description has no `enum`. */
  allowed?: readonly string[];
  /** A named check of a body field, see http/bodies/body.ts. */
  rule?: 'AlphaDashDot' | 'AlphaDash' | 'Username' | 'GitRefName' | 'GlobPattern' | 'Email' | 'Url' | 'In';
  /** The name in error messages and the description where it is not the plain CamelCase of the field. */
  goName?: string;
  /** Accepted but not in the description: for older clients. */
  undescribed?: boolean;
}

/** A named shape of the API description. */
export type Definition<T extends TSchema = TSchema> = T & { readonly $id: string };

const definitions = new Map<string, Definition>();

/** Every definition so far, by name. */
export function allDefinitions(): ReadonlyMap<string, Definition> {
  return definitions;
}

function register<T extends TSchema>(name: string, schema: T): Definition<T> {
  if (definitions.has(name)) throw new Error(`the definition ${name} exists twice`);
  const definition = Object.assign(schema, { $id: name }) as Definition<T>;
  definitions.set(name, definition);
  return definition;
}

type Properties = Record<string, TSchema>;

function typed<T>(schema: object): TUnsafe<T> {
  return schema as TUnsafe<T>;
}

/**
 * Names a shape of responses: every field is present except those wrapped in `optional`.
 * @param options.required the fields that the API description marks as required
 */
export function define<P extends Properties>(
  name: string,
  properties: P,
  options: { description?: string; required?: readonly (keyof P & string)[] } = {},
): Definition<TObject<P>> {
  const { required, ...rest } = options;
  return register(name, { type: 'object', properties, ...rest, described: required ?? [] } as unknown as TObject<P>);
}

type Optioned<P extends Properties, R extends keyof P> = { [K in keyof P]: K extends R ? P[K] : TOptional<P[K]> };

/**
 * Names a shape of request bodies: only the fields in `required` have to be present and not empty. A null counts as missing.
 * @param options.described the fields that the API description marks as required, if they differ
 */
export function defineOption<P extends Properties, const R extends keyof P & string = never>(
  name: string,
  properties: P,
  options: { description?: string; required?: readonly R[]; described?: readonly (keyof P & string)[] } = {},
): Definition<TObject<Optioned<P, R>>> {
  const { required, described, ...rest } = options;
  const wrapped: Record<string, TSchema> = {};
  for (const [key, schema] of Object.entries(properties)) {
    wrapped[key] = (required as readonly string[] | undefined)?.includes(key) ? schema : optional(schema);
  }
  const marks = { needed: required ?? [], described: described ?? required ?? [] };
  return register(name, { type: 'object', properties: wrapped, ...rest, ...marks } as unknown as TObject<Optioned<P, R>>);
}

/** A named shape that is not an object: a list, a text. */
export function defineAs<T extends TSchema>(name: string, schema: T): Definition<T> {
  return register(name, schema);
}

/** The TypeScript type of a shape. */
export type Shape<T extends TSchema> = Static<T>;

/** A field with another definition; by name if the two refer to each other. */
export function ref<T extends Definition>(definition: T, options?: FieldOptions): TUnsafe<Static<T>>;
export function ref<T = unknown>(name: string, options?: FieldOptions): TUnsafe<T>;
export function ref(target: Definition | string, options: FieldOptions = {}) {
  return typed<unknown>({ ...options, $ref: typeof target === 'string' ? target : target.$id });
}

export function string(options: FieldOptions = {}) {
  return typed<string>({ type: 'string', ...options });
}

/** One of a fixed set of texts, with that type. */
export function oneOf<const V extends string>(values: readonly V[], options: FieldOptions = {}) {
  return typed<V>({ type: 'string', ...options, enum: values });
}

export function boolean(options: FieldOptions = {}) {
  return typed<boolean>({ type: 'boolean', ...options });
}

/** A 64-bit integer. */
export function int64(options: FieldOptions = {}) {
  return typed<number>({ type: 'integer', format: 'int64', ...options });
}

/** An integer without a declared size. */
export function integer(options: FieldOptions = {}) {
  return typed<number>({ type: 'integer', ...options });
}

export function number(options: FieldOptions = {}) {
  return typed<number>({ type: 'number', ...options });
}

/** A time on the wire: RFC 3339 with an offset, whole seconds. */
export function timestamp(options: FieldOptions = {}) {
  return typed<string>({ type: 'string', format: 'date-time', ...options });
}

export function array<T extends TSchema>(items: T, options: FieldOptions = {}) {
  return typed<Static<T>[]>({ type: 'array', items, ...options });
}

/** An object with arbitrary keys. */
export function map<T extends TSchema>(values: T, options: FieldOptions = {}) {
  return typed<Record<string, Static<T>>>({ type: 'object', additionalProperties: values, ...options });
}

/** An object with these fields that has no name in the API description. */
export function inline<P extends Properties>(properties: P) {
  return { type: 'object', properties } as unknown as TObject<P>;
}

/** An object without further description. */
export function object(options: FieldOptions = {}) {
  return typed<Record<string, unknown>>({ type: 'object', ...options });
}

/** Bytes of any media type, not JSON. */
export function file() {
  return typed<Uint8Array>({ type: 'file' });
}

/** Any JSON value. */
export function any(options: FieldOptions = {}) {
  return typed<unknown>({ ...options });
}

/** A field that a response may leave out. */
export function optional<T extends TSchema>(schema: T) {
  return { ...(schema as object), '~optional': 'Optional' } as unknown as TOptional<T>;
}

/** A field that may be null in a response. */
export function nullable<T extends TSchema>(schema: T) {
  return typed<Static<T> | null>({ ...(schema as object), nullable: true });
}

/** Times and their wire form: lists repeat them. */
const wireTimes = new Map<number, string>();
const KEPT_TIMES = 10_000;

/** The wire form of a time: whole seconds UTC, `0001-01-01T00:00:00Z` for none. */
export function wireTime(seconds: number | null): string {
  if (seconds === null) return '0001-01-01T00:00:00Z';
  const known = wireTimes.get(seconds);
  if (known) return known;
  const made = joined(new Date(Math.floor(seconds) * 1000).toISOString().slice(0, -5), 'Z');
  if (wireTimes.size === KEPT_TIMES) wireTimes.clear();
  wireTimes.set(seconds, made);
  return made;
}
