import type { FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import type { Settings } from '../../settings.ts';
import type { AnyRoute } from '../route.ts';
import { API_PREFIX } from './not-served.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A path that is served with a method. */
interface ServedPath {
  readonly route: AnyRoute;
  /** Its pattern, from the root. */
  readonly pattern: string;
  /** It begins with the name of an account. */
  readonly isNamed: boolean;
  /** The route is for GET: only the headers of its response are sent. */
  readonly isHeadOfGet: boolean;
}

/** The route of a request, and what its path names. */
export interface Match extends ServedPath {
  readonly params: Readonly<Record<string, string>>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The route that serves the request; undefined if there is none. */
    match: Match | undefined;
  }
}

/** Finds the routes of requests. It has no state of a server, so servers with the same routes can share it. */
export class Router {
  readonly #paths: ReturnType<typeof findMyWay>;

  /** @param maxParamLength maximum length of a path parameter, in characters */
  constructor(routes: readonly AnyRoute[], maxParamLength: number) {
    // Clients that join URLs carelessly write too many slashes. The query is read elsewhere.
    const lenient = { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true };
    this.#paths = findMyWay({ ...lenient, maxParamLength, querystringParser: () => ({}) });
    for (const route of routes) {
      const pattern = route.path.startsWith('//') ? route.path.slice(1) : API_PREFIX + route.path;
      const served = { route, pattern, isNamed: beginsWithName(route.path), isHeadOfGet: false };
      this.#paths.on(route.method, pattern, () => {}, served);
      const servesHead = route.method === 'GET' && (route.head ?? route.path.startsWith('//'));
      if (servesHead) this.#paths.on('HEAD', pattern, () => {}, { ...served, isHeadOfGet: true });
    }
  }

  /** The route that serves a request. @param target path and query */
  find(method: string, target: string): Match | undefined {
    const found = this.#paths.find(method as FastifyRequest['method'] & 'GET', target);
    return found ? { ...(found.store as ServedPath), params: found.params as Record<string, string> } : undefined;
  }

  /** The methods that a path is served with, without HEAD where it follows from GET. */
  methodsOf(pathname: string): string[] {
    return METHODS.filter((method) => {
      const match = this.find(method, pathname);
      return match && !match.isHeadOfGet && !(match.isNamed && isNobodys(pathname));
    });
  }
}

const routers = new WeakMap<readonly AnyRoute[], Map<string, Router>>();

/** The router of the routes that the settings enable. Building it takes some 50 ms, so servers of one process with the same settings share it. */
export function routerOf(routes: readonly AnyRoute[], settings: Settings): Router {
  const isOn = routes.map(({ when }) => when?.(settings) ?? true);
  const { queryLength } = settings.limits;
  const key = `${queryLength} ${isOn.map(Number).join('')}`;
  const made = routers.get(routes) ?? new Map<string, Router>();
  routers.set(routes, made);
  const known = made.get(key);
  if (known) return known;
  const router = new Router(
    routes.filter((_, index) => isOn[index]),
    queryLength,
  );
  made.set(key, router);
  return router;
}

/** Whether the path of a route begins with the name of an account. */
function beginsWithName(path: string): boolean {
  return /^\/\/:\w+(?:\/|$)/.test(path);
}

/** The Go tool requests every folder that could be a module (https://go.dev/ref/mod#vcs-find); its repository responds for all of them. */
export function repositoryOfModule(target: string): string {
  const [, repository] = /^(\/[^/?]+\/[^/?]+)\/[^?]*\?(?:.*&)?go-get=1(?:&|$)/.exec(target) ?? [];
  return repository === undefined || isNobodys(target) ? target : repository;
}

/** Whether a path begins with a reserved word that is not an account name: that of the API. */
export function isNobodys(pathname: string): boolean {
  return /^\/+api(?:\/|$)/.test(pathname);
}
