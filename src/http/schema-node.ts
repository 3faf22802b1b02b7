import { allDefinitions } from './schema.ts';

/** A schema as TypeBox's plain JSON. */
export interface SchemaNode {
  $ref?: string;
  type?: string;
  format?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  additionalProperties?: SchemaNode;
  enum?: readonly unknown[];
  allowed?: readonly string[];
  maxLength?: number;
  minLength?: number;
  unbounded?: boolean;
  minimum?: number;
  maximum?: number;
  rule?: string;
  goName?: string;
  /** The fields that must be present and not empty. */
  needed?: readonly string[];
}

/** The node itself, or the definition that it refers to. */
export function resolve(node: SchemaNode): SchemaNode {
  if (!node.$ref) return node;
  const target = allDefinitions().get(node.$ref);
  if (!target) throw new Error(`no definition ${node.$ref}`);
  return target as SchemaNode;
}
