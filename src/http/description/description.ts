import { type AnyRoute, type QueryParameter, scopeOf } from '../route.ts';
import { allDefinitions } from '../schema.ts';
import { goName } from '../validation.ts';
import { mediaTypesOf, responsesOf, sharedResponses } from './description-responses.ts';
import { APIError, APINotFound } from './error-schema.ts';

type Json = Record<string, unknown>;

/** Keywords of our schemas that the description does not have. */
const OWN_WORDS = new Set(['$id', 'nullable', 'described', 'needed', 'rule', 'goName', 'allowed', 'maxLength', 'minLength', 'unbounded']);

/**
 * The API description in the Swagger 2.0 format, generated from the routes and their shapes.
 * @param options.version the running version
 * @param options.rootUrl the URL of the instance, with a slash at its end: its scheme is the first that tools use
 */
export function describe(routes: readonly AnyRoute[], { version, rootUrl }: { version: string; rootUrl: string }): Json {
  const { protocol, pathname } = new URL(rootUrl);
  const shown = routes.filter((route) => !route.hidden && !route.path.startsWith('//'));
  const paths: Record<string, Json> = {};
  for (const route of shown) {
    const path = route.path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}').replace(/\*$/, `{${wildcardName(route)}}`);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeRoute(route);
  }
  return {
    swagger: '2.0',
    info: {
      title: 'Copse API',
      description: 'The API of a self-hosted code hosting service.',
      license: { name: 'MIT', url: 'http://opensource.org/licenses/MIT' },
      version,
    },
    basePath: `${pathname}api/v1`,
    schemes: protocol === 'https:' ? ['https', 'http'] : ['http', 'https'],
    consumes: ['application/json'],
    paths,
    definitions: definitionsOf(shown),
    responses: describeShared(),
    securityDefinitions: SECURITY,
    security: SCHEMES,
  };
}

const SECURITY: Record<string, Json> = {
  AccessToken: { type: 'apiKey', name: 'access_token', in: 'query', description: 'No longer accepted.' },
  AuthorizationHeaderToken: {
    type: 'apiKey',
    name: 'Authorization',
    in: 'header',
    description: 'The word token, a space, then an access token.',
  },
  BasicAuth: { type: 'basic' },
  SudoHeader: { type: 'apiKey', name: 'Sudo', in: 'header', description: 'Acts as the named user; for administrators.' },
  SudoParam: { type: 'apiKey', name: 'sudo', in: 'query', description: 'Acts as the named user; for administrators.' },
  TOTPHeader: {
    type: 'apiKey',
    name: 'X-GITEA-OTP',
    in: 'header',
    description: 'The one-time code beside BasicAuth where two-factor sign-in is on.',
  },
  Token: { type: 'apiKey', name: 'token', in: 'query', description: 'No longer accepted.' },
};

const SCHEMES: readonly Json[] = Object.keys(SECURITY).map((name) => ({ [name]: [] }));
/** The requirements that no anonymous caller meets. */
const NEED_CALLER = ['tok', 'basic', 'site-admin'];

/** Whether an anonymous request may succeed. */
function isForAnybody({ needs = [] }: AnyRoute): boolean {
  return !needs.some(({ name }) => NEED_CALLER.includes(name));
}

/** `*` in a path has the name of the one described parameter that the path does not name. */
function wildcardName({ path, parameters }: AnyRoute): string {
  return Object.keys(parameters ?? {}).find((name) => !new RegExp(`:${name}\\b`).test(path)) ?? 'filepath';
}

/** The shared responses, by name. */
export function describeShared(): Json {
  return sharedResponses((shape) => described(shape));
}

/** The operation of a route. */
export function describeRoute(route: AnyRoute): Json {
  const produces = mediaTypesOf(route);
  return {
    ...(route.consumes && { consumes: route.consumes }),
    ...(produces && { produces }),
    tags: [route.tag ?? scopeOf(route)[0] ?? 'miscellaneous'],
    summary: route.summary,
    operationId: route.id,
    ...(route.deprecated && { deprecated: true }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...bodyParameters(route)],
    responses: responsesOf(route, (shape) => described(shape)),
    ...(isForAnybody(route) && { security: [{}, ...SCHEMES] }),
  };
}

function pathParameters(route: AnyRoute): Json[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  if (route.path.endsWith('*')) names.push(wildcardName(route));
  return names.map((name) => {
    const given = route.parameters?.[name];
    return { type: given?.type ?? 'string', ...rest(given), name, in: 'path', required: true };
  });
}

function rest(parameter: Partial<QueryParameter> | undefined): Json {
  const { is: _, ...words } = parameter ?? {};
  return words;
}

function queryParameters({ query = {} }: AnyRoute): Json[] {
  const described = Object.entries(query).filter(([, { undescribed }]) => !undescribed);
  return described.map(([name, parameter]) => ({ ...rest(parameter), name, in: 'query' }));
}

function bodyParameters({ body, bodyParameter, form }: AnyRoute): Json[] {
  const fields = Object.entries(form ?? {}).map(([name, field]) => ({ ...field, name, in: 'formData' }));
  if (body === 'stream' && bodyParameter) return [...fields, { name: 'body', in: 'body', ...bodyParameter, schema: { type: 'string' } }];
  if (body === undefined || body === 'stream') return fields;
  return [...fields, { name: 'body', in: 'body', ...bodyParameter, schema: { $ref: `#/definitions/${body.$id}` } }];
}

/** The definitions that the routes use, directly or through others. */
function definitionsOf(routes: readonly AnyRoute[]): Json {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $id, $ref } = node as { $id?: string; $ref?: string };
    const name = $id ?? $ref;
    if (name !== undefined) {
      if (names.has(name)) return;
      names.add(name);
    }
    if ($ref !== undefined) {
      for (const value of Object.values(allDefinitions().get($ref) ?? {})) visit(value);
    }
    for (const value of Object.values(node)) visit(value);
  };
  visit([APIError, APINotFound]);
  for (const route of routes) {
    visit(route.body);
    for (const shape of Object.values(route.responses)) visit(shape);
  }
  const sorted = [...names].sort();
  return Object.fromEntries(
    sorted.flatMap((name) => {
      const definition = describeDefinition(name);
      return definition === undefined ? [] : [[name, definition]];
    }),
  );
}

/** A definition of the description; undefined for an unknown name. */
export function describeDefinition(name: string): unknown {
  const definition = allDefinitions().get(name);
  return definition && described(definition, true);
}

/** A shape in the description's format. */
function described(shape: unknown, whole = false): unknown {
  if (Array.isArray(shape)) return shape.map((item) => described(item));
  if (typeof shape !== 'object' || shape === null) return shape;
  const node = shape as Json & { properties?: Record<string, Json>; described?: string[] };
  // Strict readers ignore what stands beside a reference; others read it.
  const nullable: Json = node.nullable ? { 'x-nullable': true } : {};
  const name = whole ? node.$ref : (node.$id ?? node.$ref);
  if (typeof name === 'string') return { $ref: `#/definitions/${name}`, ...nullable };
  const result: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (OWN_WORDS.has(key) || key.startsWith('~') || key === 'properties' || key === 'required') continue;
    result[key] = typeof value === 'object' && key !== 'enum' && key !== 'example' && key !== 'default' ? described(value) : value;
  }
  Object.assign(result, nullable);
  if (node.properties) {
    result.properties = Object.fromEntries(
      Object.entries(node.properties).flatMap(([name, property]) =>
        property.undescribed
          ? []
          : [[name, { ...(described(property) as Json), ...('$ref' in property ? {} : { 'x-go-name': property.goName ?? goName(name) }) }]],
      ),
    );
    if (node.described?.length) result.required = node.described;
  }
  return result;
}
