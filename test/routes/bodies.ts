import type { AnyRoute } from '../../src/http/route.ts';
import { allDefinitions } from '../../src/http/schema.ts';

/** A shape as the plain JSON that it is. */
interface Node {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  allowed?: readonly unknown[];
  properties?: Record<string, Node>;
  items?: Node;
  needed?: readonly string[];
  additionalProperties?: Node;
}

/**
 * Bodies that a route takes: with what it needs alone, with each of the fields that could mean something by its id besides, and with all.
 * @param values what the fields of some names say; numbers are `id`
 */
export function bodiesOf({ body }: AnyRoute, values: Record<string, unknown>): unknown[] {
  if (body === undefined || body === 'stream') return [undefined];
  const node = body as Node;
  const field = (name: string) => [name, fill(node.properties?.[name] ?? {}, name, values, 0)] as const;
  const needed = Object.fromEntries((node.needed ?? []).map(field));
  const others = Object.entries(node.properties ?? {}).filter(
    ([, { type }]) => type === 'integer' || type === 'array' || type === undefined,
  );
  const more = others.filter(([name]) => !node.needed?.includes(name)).map(([name]) => ({ ...needed, [name]: field(name)[1] }));
  const all = fill(node, '', values, 0);
  return node.properties === undefined ? [all] : [needed, ...more, all];
}

function fill(reference: Node, name: string, values: Record<string, unknown>, depth: number): unknown {
  if (name in values) return values[name];
  if (depth > 8) return undefined;
  const node = reference.$ref ? ((allDefinitions().get(reference.$ref) ?? {}) as Node) : reference;
  const [choice] = node.enum ?? node.allowed ?? [];
  if (choice !== undefined) return choice;
  switch (node.type) {
    case 'string':
      return node.format === 'date-time' ? '2030-01-02T03:04:05Z' : 'word';
    case 'integer':
    case 'number':
      return values.id;
    case 'boolean':
      return true;
    case 'array':
      return [fill(node.items ?? {}, '', values, depth + 1)];
    case 'object':
      return Object.fromEntries(Object.entries(node.properties ?? {}).map(([key, field]) => [key, fill(field, key, values, depth + 1)]));
    default:
      return values.id;
  }
}
