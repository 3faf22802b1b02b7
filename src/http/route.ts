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

/** A query parameter. Numbers and booleans are read leniently: an invalid value counts as missing. */
export interface QueryParameter<T = unknown> {
  type: 'string' | 'integer' | 'boolean' | 'array' | 'number';
  description?: string;
  format?: string;
  enum?: readonly string[];
  default?: unknown;
  required?: boolean;
  /** For an array. `csv`: one value, comma separated; `multi`: a repeated parameter. */
  collectionFormat?: 'csv' | 'multi';
  items?: { type: string; enum?: readonly string[]; format?: string };
  minimum?: number;
  /** Accepted, but not in the description. */
  undescribed?: boolean;
  /** Only for the types. */
  readonly is?: T;
}

type QueryOf<Q> = { [K in keyof Q]?: Q[K] extends QueryParameter<infer T> ? T : never };

/** The input of a requirement: the parameters of the path, and what a loader has found by them. */
export interface RequirementInput {
  params: Record<string, string>;
}

/**
 * Loads what the path names, for the route's `needs` and its handler. Refuses what the caller may not see.
 * @param url the requested URL
 */
export type Loader<L> = (params: Readonly<Record<string, string>>, context: Context, url: URL) => Promise<L>;

/** The error statuses that the API description names. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 414 | 416 | 422 | 423 | 429 | 503 | 507;

/** One requirement of a route: refuses by throwing. */
export interface Requirement {
  readonly name: string;
  check(input: RequirementInput, context: Context): void | Promise<void>;
  /** Checks the caller alone, so it can be checked before the path's resource is loaded. */
  readonly ofCaller?: boolean;
  /** The status of the refusal, for the API description, unless every route has it. */
  readonly status?: ErrorStatus;
}

/** The request itself, for the few handlers that need more than its parsed parts. */
export interface RequestParts {
  /** The id of the request. */
  readonly id: string;
  readonly method: string;
  /** The whole URL as the client wrote it, with the root URL in front. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** The client's IP address. */
  readonly ip: string;
  /** The stream of the body for routes with `body: 'stream'`; also the raw query. */
  readonly raw: IncomingMessage;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The input of a handler. */
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
  /** The scope categories that a token needs; none for routes that accept every token. */
  scope?: ScopeCategory | readonly ScopeCategory[];
  /** A category that is checked separately, before the others: that of the group of paths which the route is in. */
  groupScope?: ScopeCategory;
  /** Refuses tokens that are limited to public resources. */
  refusesPublicOnly?: boolean;
  /** Loads what the path names. `repositoryRoute` and similar functions (access/routes.ts) set it. */
  loads?: Loader<L>;
  /** The statuses with which `loads` redirects from a former name to the current one. */
  redirects?: readonly (301 | 307)[];
  /** Checked in this order, after the resources in the path have been loaded. */
  needs?: readonly Requirement[];
  /** Checked after the body, where clients expect that an invalid one is refused first. */
  needsAfterBody?: readonly Requirement[];
  /** The JSON body's shape, or `stream` when the handler reads the request itself. */
  body?: B | 'stream';
  /** The name of the body in the description if it is not `body`, and whether it is required there. */
  bodyParameter?: { name?: string; required?: boolean };
  /** Size limit of the body in bytes; the instance's `limits.jsonBody` when left out. */
  bodyLimit?: (context: Context) => number;
  /** The semaphore that requests take a permit of, if they can keep the server busy for long. */
  semaphore?: 'uploads' | 'downloads' | 'renders' | 'searches';
  query?: Q;
  /** Descriptions of path parameters, for the API description. */
  parameters?: Record<string, Partial<QueryParameter>>;
  /** For routes with a form: its fields, for the API description. */
  form?: Record<string, { type: 'file' | 'string'; description?: string; required?: boolean }>;
  /** The media types of the body, if not JSON. */
  consumes?: readonly string[];
  produces?: readonly string[];
  /**
   * The shapes by status; the first is the status of a handler's plain result. `null`: no body; for the status of an error: the body may be
   * missing.
   */
  responses: Record<number, TSchema | null>;
  /**
   * Further statuses of the route, for the API description: errors and redirects. Statuses that follow from the rest of the declaration
   * are not repeated here, see http/description/description-responses.ts.
   */
  also?: readonly (ErrorStatus | 303 | 304 | 307)[];
  deprecated?: boolean;
  /** Served without authentication: the caller is anonymous, whatever the headers say. */
  open?: boolean;
  /** Served only if this is true for the settings; otherwise the path is unknown. */
  when?: (settings: Settings) => boolean;
  /** Whether GET also serves HEAD: the exception in the API, the rule outside it. Clients expect 405 otherwise. */
  head?: boolean;
  /** For downloads outside the API: errors are plain text. */
  download?: boolean;
  /** Not in the API description. */
  hidden?: boolean;
  handle(input: RouteInput<P, B, Q, L>, context: Context): Promise<unknown>;
}

/** A route without its specific types, as the server stores it. */
export type AnyRoute = Route<string, Definition | undefined, Record<string, QueryParameter> | undefined>;

/** Declares a route; the handler gets the types of path, body, query and loaded resources. */
export function route<
  const P extends string,
  B extends Definition | undefined = undefined,
  Q extends Record<string, QueryParameter> | undefined = undefined,
  L = unknown,
>(definition: Route<P, B, Q, L>): AnyRoute {
  return definition as unknown as AnyRoute;
}

/**
 * {@link route} for a family of routes whose paths name what `loads` loads.
 * @param redirects the statuses with which it redirects from a former name to the current one
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

/** `page` and `limit` of every list. */
export const pageQuery = {
  page: query.integer('page number of results to return (1-based)'),
  limit: query.integer('page size of results'),
};
