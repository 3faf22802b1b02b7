import type { IncomingMessage } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { Context } from '../context.ts';
import type { Settings } from '../settings.ts';
import type { Definition } from './schema.ts';

/** The scope categories of tokens. */
export type ScopeCategory =
  | 'activitypub'
  | 'admin'
  | 'issue'
  | 'misc'
  | 'notification'
  | 'organization'
  | 'package'
  | 'repository'
  | 'user';

type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** The names after `:` in a path, and `*`. */
type ParamNames<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : P extends `:${infer Name}.:${infer Rest}`
    ? Bare<Name> | Bare<Rest>
    : P extends `:${infer Name}`
      ? Bare<Name>
      : P extends `${string}.:${infer Rest}`
        ? Bare<Rest>
        : P extends '*'
          ? '*'
          : never;
type Bare<N extends string> = N extends `${infer Name}(${string}` ? Name : N;

/** A query parameter: numbers and booleans are read leniently, what makes no sense counts as not given. */
export interface QueryParameter<T = unknown> {
  type: 'string' | 'integer' | 'boolean' | 'array' | 'number';
  description?: string;
  format?: string;
  enum?: readonly string[];
  default?: unknown;
  required?: boolean;
  /** Of an array. `csv`: one value, comma separated; `multi`: given several times. */
  collectionFormat?: 'csv' | 'multi';
  items?: { type: string; enum?: readonly string[]; format?: string };
  minimum?: number;
  /** Taken, but not in the description. */
  undescribed?: boolean;
  /** Only for the types. */
  readonly is?: T;
}

type QueryOf<Q> = { [K in keyof Q]?: Q[K] extends QueryParameter<infer T> ? T : never };

/** What a requirement looks at: the parameters of the path, and what a loader has found by them. */
export interface RequirementInput {
  params: Record<string, string>;
}

/**
 * Loads what the path names, for the route's `needs` and its handler. Refuses what the caller may not know of.
 * @param url the requested URL
 */
export type Loader<L> = (params: Readonly<Record<string, string>>, context: Context, url: URL) => Promise<L>;

/** The statuses of errors that the API description names. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 414 | 416 | 422 | 423 | 429 | 503 | 507;

/** One requirement of a route: refuses by throwing. */
export interface Requirement {
  readonly name: string;
  check(input: RequirementInput, context: Context): void | Promise<void>;
  /** Looks at the caller alone, so it can be checked before what the path names is looked up. */
  readonly ofCaller?: boolean;
  /** The status of the refusal if it is not one of every route, for the API description. */
  readonly status?: ErrorStatus;
}

/** The request itself, for the few handlers that need more than its parsed parts. */
export interface RequestParts {
  /** The id of the request. */
  readonly id: string;
  readonly method: string;
  /** The whole address as the client wrote it, with the root URL in front. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** The client's address. */
  readonly ip: string;
  /** The body's stream for routes with `body: 'stream'`; the raw query besides. */
  readonly raw: IncomingMessage;
  /** Ends when the client has gone. */
  readonly signal: AbortSignal;
}

/** What a handler is given. */
export type RouteInput<P extends string, B, Q, L> = Simplify<
  {
    params: Record<ParamNames<P>, string>;
    query: QueryOf<Q>;
    body: B extends TSchema ? Static<B> : undefined;
    request: RequestParts;
  } & L
>;

/** One route of the API. */
export interface Route<P extends string = string, B = unknown, Q = unknown, L = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Relative to `/api/v1`; `//x` is `/x` at the root. */
  path: P;
  /** The operation id of the API description. */
  id: string;
  summary: string;
  /** The operation's group in the description; follows from the scope when left out. */
  tag?: string;
  /** The scope categories that a token needs; none for routes open to every token. */
  scope?: ScopeCategory | readonly ScopeCategory[];
  /** A category that is checked by itself before the others: that of the group of paths which the route is in. */
  groupScope?: ScopeCategory;
  /** Refused for tokens limited to public things. */
  refusesPublicOnly?: boolean;
  /** Finds what the path names. `repositoryRoute` and the like (access/routes.ts) set it. */
  loads?: Loader<L>;
  /** The statuses by which `loads` leads from a former name to the present one. */
  redirects?: readonly (301 | 307)[];
  /** Checked in this order, after the things named in the path have been found. */
  needs?: readonly Requirement[];
  /** The JSON body's shape, or `stream` when the handler reads the request itself. */
  body?: B | 'stream';
  /** How the description names the body where it is not `body`, and whether it calls it required. */
  bodyParameter?: { name?: string; required?: boolean };
  /** Bytes that the body may have; the instance's `limits.jsonBody` when left out. */
  bodyLimit?: (context: Context) => number;
  /** The semaphore that a request takes a permit of, where it can keep the server busy for long. */
  semaphore?: 'uploads' | 'downloads' | 'renders' | 'searches';
  query?: Q;
  /** Descriptions of path parameters, for the API description. */
  parameters?: Record<string, Partial<QueryParameter>>;
  /** For routes with a form: its fields, for the API description. */
  form?: Record<string, { type: 'file' | 'string'; description?: string; required?: boolean }>;
  /** What the body's media types are, when not JSON. */
  consumes?: readonly string[];
  produces?: readonly string[];
  /**
   * The shapes by status; the first is the status of a handler's plain result. `null`: no body; for the status of an error, that there may
   * be none.
   */
  responses: Record<number, TSchema | null>;
  /**
   * Further statuses of the route, for the API description: errors, and redirects. Those that follow from the rest of the declaration are
   * not repeated here, see http/description-responses.ts.
   */
  also?: readonly (ErrorStatus | 303 | 304 | 307)[];
  deprecated?: boolean;
  /** Served without authentication: nobody is signed in, whatever the headers say. */
  open?: boolean;
  /** Served only where the settings say so; nothing is at the path otherwise. */
  when?: (settings: Settings) => boolean;
  /** Whether GET serves HEAD as well: the exception in the API, the rule outside of it. Clients expect 405 otherwise. */
  head?: boolean;
  /** For downloads outside of the API: errors are plain text. */
  download?: boolean;
  /** Left out of the API description. */
  hidden?: boolean;
  handle(input: RouteInput<P, B, Q, L>, context: Context): Promise<unknown>;
}

/** A route with its types forgotten, as the server keeps it. */
export type AnyRoute = Route<string, Definition | undefined, Record<string, QueryParameter> | undefined>;

/** Declares a route; the types of path, body, query and what is loaded reach the handler. */
export function route<
  const P extends string,
  B extends Definition | undefined = undefined,
  Q extends Record<string, QueryParameter> | undefined = undefined,
  L = unknown,
>(definition: Route<P, B, Q, L>): AnyRoute {
  return definition as unknown as AnyRoute;
}

/**
 * {@link route} for a family of routes: those whose paths name what `loads` finds.
 * @param redirects the statuses by which it leads from a former name to the present one
 */
export function routeLoading<L>(loads: Loader<L>, redirects: readonly (301 | 307)[] = []) {
  return <
    const P extends string,
    B extends Definition | undefined = undefined,
    Q extends Record<string, QueryParameter> | undefined = undefined,
  >(
    definition: Route<P, B, Q, L>,
  ): AnyRoute => route({ ...definition, loads, redirects });
}

/** The categories of a route as a list, without that of its group. */
export function scopeOf({ scope }: Pick<AnyRoute, 'scope'>): readonly ScopeCategory[] {
  return scope === undefined ? [] : typeof scope === 'string' ? [scope] : scope;
}

type ParameterOptions = Omit<QueryParameter, 'type' | 'is'>;

/** Query parameters by type. */
export const query = {
  string: (description: string, options: ParameterOptions = {}): QueryParameter<string> => ({ type: 'string', description, ...options }),
  integer: (description: string, options: ParameterOptions = {}): QueryParameter<number> => ({ type: 'integer', description, ...options }),
  int64: (description: string, options: ParameterOptions = {}): QueryParameter<number> => ({
    type: 'integer',
    format: 'int64',
    description,
    ...options,
  }),
  boolean: (description: string, options: ParameterOptions = {}): QueryParameter<boolean> => ({ type: 'boolean', description, ...options }),
  list: (description: string, options: ParameterOptions = {}): QueryParameter<string[]> => ({
    type: 'array',
    items: { type: 'string' },
    collectionFormat: 'csv',
    description,
    ...options,
  }),
};

/** `page` and `limit`, as every list takes them. */
export const pageQuery = {
  page: query.integer('page number of results to return (1-based)'),
  limit: query.integer('page size of results'),
};
