import { allRoutes } from '../../src/features.ts';
import { describeDefinition, describeRoute, describeShared } from '../../src/http/description/description.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { API_PREFIX } from '../../src/http/server/not-served.ts';

/** A schema of Swagger 2.0, as far as the description uses its words. */
interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  required?: readonly string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  'x-nullable'?: boolean;
}
interface DescribedResponse {
  $ref?: string;
  schema?: Schema;
}
interface Operation {
  operationId: string;
  produces?: string[];
  responses: Record<string, DescribedResponse>;
}

/** A response to be held against the description. */
export interface ReceivedResponse {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  readonly json: unknown;
}

/** What the server answers where no route is, or where the path is not well-formed. */
const NO_ROUTE = ['404 page not found\n', '400 Bad Request'];
/** Swagger 2.0 has one shape for a status: here it is that of a file, while a folder is a list of them. */
const ONE_OR_MANY = 'repoGetContents 200';

/** The routes that are described, with the parts of their paths. The description as a whole takes too long to make for each test file. */
const rows = allRoutes
  .filter(({ path, hidden }) => !hidden && !path.startsWith('//'))
  .map((route) => ({ route, parts: (API_PREFIX + route.path).split('/') }));
/** By method and first part, which is a word in all of them: there are hundreds, and they are searched for every response. */
const rowsByStart = Map.groupBy(rows, ({ route, parts }) => startOf(route.method, parts));
const operations = new Map<AnyRoute, Operation>();
const definitions = new Map<string, Schema>();
let shared: Record<string, DescribedResponse> | undefined;

/** Why a response is not what the description says of it; undefined when it is, or when nothing describes the request. */
export function undescribed(method: string, path: string, response: ReceivedResponse): string | undefined {
  const route = NO_ROUTE.includes(response.text) ? undefined : findRoute(method, path);
  if (!route) return undefined;
  const { operationId, produces, responses } = operationOf(route);
  const named = responses[response.status];
  const at = `${operationId} ${response.status}`;
  if (!named) return response.status === 500 ? undefined : `${at} is not in the description`;
  shared ??= describeShared() as Record<string, DescribedResponse>;
  const { schema } = named.$ref ? (shared[nameIn(named.$ref)] ?? {}) : named;
  const type = response.type?.split(';')[0] ?? '';
  if (produces && response.status !== 304 && !produces.includes(type) && !produces.includes('*/*'))
    return `${at}: the content type ${type} is not in the description`;
  if (!schema) return response.text === '' || response.status >= 300 ? undefined : `${at}: the description says that there is no content`;
  // What reads it here takes no body with 205.
  if (schema.type === 'file' || response.status === 205 || (at === ONE_OR_MANY && Array.isArray(response.json))) return undefined;
  if (type !== '' && !type.endsWith('json'))
    return [undefined, 'string'].includes(schema.type) ? undefined : `${at}: ${type} is described as JSON`;
  const fault = faultOf(schema, response.json, '');
  return fault && `${at}: ${fault}`;
}

/** The route that serves an address: the one that says the most of it. */
function findRoute(method: string, path: string): AnyRoute | undefined {
  const asked = path.replace(/(?<=.)\/$/, '').split('/');
  let best: (typeof rows)[number] | undefined;
  for (const row of rowsByStart.get(startOf(method, asked)) ?? []) {
    if (matches(row.parts, asked) && (!best || isNearer(row.parts, best.parts))) best = row;
  }
  return best?.route;
}

function startOf(method: string, parts: readonly string[]): string {
  return `${method} ${parts[API_PREFIX.split('/').length]}`;
}

function matches(parts: readonly string[], asked: readonly string[]): boolean {
  if (parts.length !== asked.length && parts.at(-1) !== '*') return false;
  return parts.every((part, index) => {
    const text = asked[index];
    if (text === undefined || part === '*') return part === '*' && text !== undefined;
    if (!part.includes(':')) return part === text;
    const choices = /^:\w+\.:\w+\(\^(.*)\$\)$/.exec(part)?.[1]?.split('|');
    return text !== '' && (choices?.some((choice) => text.endsWith(`.${choice}`)) ?? true);
  });
}

/** Whether the first part of a path that is plainer or less plain than that of the other is plainer. */
function isNearer(parts: readonly string[], others: readonly string[]): boolean {
  const kind = (part = '*') => (part === '*' ? 3 : !part.includes(':') ? 0 : part.includes('(') ? 1 : 2);
  const index = parts.findIndex((part, at) => kind(part) !== kind(others[at]));
  return index >= 0 && kind(parts[index]) < kind(others[index]);
}

function operationOf(route: AnyRoute): Operation {
  const known = operations.get(route) ?? (describeRoute(route) as unknown as Operation);
  operations.set(route, known);
  return known;
}

function definitionOf(name: string): Schema {
  const known = definitions.get(name) ?? (describeDefinition(name) as Schema);
  definitions.set(name, known);
  return known;
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const FORMATS: Record<string, RegExp> = { 'date-time': DATE_TIME, date: /^\d{4}-\d\d-\d\d$/, email: /^[^\s@]+@[^\s@]+$/ };

function faultOf(node: Schema, value: unknown, at: string): string | undefined {
  if (value === null && node['x-nullable']) return undefined;
  if (node.$ref) return faultOf(definitionOf(nameIn(node.$ref)), value, at);
  const wrong = `${at || 'the body'} is ${JSON.stringify(value)?.slice(0, 100)}, described as ${node.type} ${node.format ?? ''}`;
  if (!isOfType(node.type, value)) return wrong;
  if (node.enum && !node.enum.includes(value)) return `${wrong} of ${node.enum.join(', ')}`;
  if (typeof value === 'string') return FORMATS[node.format ?? '']?.test(value) === false ? wrong : undefined;
  if (Array.isArray(value)) {
    return first(value, (item, index) => faultOf(node.items ?? {}, item, `${at}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const missing = node.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  const others = typeof node.additionalProperties === 'object' ? node.additionalProperties : {};
  return first(Object.entries(value), ([name, field]) => faultOf(node.properties?.[name] ?? others, field, `${at}.${name}`));
}

function isOfType(type: string | undefined, value: unknown): boolean {
  switch (type) {
    case undefined:
      return true;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function first<T>(values: readonly T[], fault: (value: T, index: number) => string | undefined): string | undefined {
  for (const [index, value] of values.entries()) {
    const found = fault(value, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
