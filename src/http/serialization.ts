import { createRequire } from 'node:module';
import type { TSchema } from 'typebox';
import { allDefinitions } from './schema.ts';

const require = createRequire(import.meta.url);

type Serializer = (value: unknown) => string;

const serializers = new WeakMap<object, Serializer>();

/** The serializer of a shape, compiled when it is first needed, so that starting stays quick. */
export function serializerOf(shape: TSchema): Serializer {
  const known = serializers.get(shape);
  if (known) return known;
  const external: Record<string, Record<string, unknown>> = {};
  const schema = plain(shape, external);
  const fastJson = require('fast-json-stringify') as typeof import('fast-json-stringify').default;
  const made = fastJson(schema as Parameters<typeof fastJson>[0], { schema: external as never });
  serializers.set(shape, made);
  return made;
}

/** The JSON schema alone: references made absolute, every field optional, nothing that only the description needs. */
function plain(shape: unknown, external: Record<string, Record<string, unknown>>): unknown {
  if (Array.isArray(shape)) return shape.map((item) => plain(item, external));
  if (typeof shape !== 'object' || shape === null) return shape;
  const node = shape as Record<string, unknown>;
  if (typeof node.$ref === 'string') {
    include(node.$ref, external);
    return node.nullable ? { nullable: true, $ref: `${node.$ref}#` } : { $ref: `${node.$ref}#` };
  }
  const result: Record<string, unknown> = {};
  if (node.type !== undefined) result.type = node.type;
  if (node.type === 'object' && !node.properties && !node.additionalProperties) result.additionalProperties = true;
  if (node.nullable) result.nullable = true;
  if (node.items) result.items = plain(node.items, external);
  if (node.additionalProperties) result.additionalProperties = plain(node.additionalProperties, external);
  if (node.properties) {
    result.properties = Object.fromEntries(Object.entries(node.properties).map(([name, property]) => [name, plain(property, external)]));
  }
  return result;
}

function include(name: string, external: Record<string, Record<string, unknown>>): void {
  if (name in external) return;
  const definition = allDefinitions().get(name);
  if (!definition) throw new Error(`no definition ${name}`);
  external[name] = {};
  external[name] = { ...(plain(definition, external) as Record<string, unknown>), $id: name };
}
