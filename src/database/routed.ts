import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Db } from './database.ts';
import type { Tables } from './tables.ts';

/** Where the queries of one request go. */
export interface QueryRoute {
  readonly primary: Db;
  /** The replica, while it is recent enough for this request; undefined from then on. */
  readonly replica: () => Db | undefined;
  /** Called with each write, which the replica does not have yet. */
  readonly onWrite: () => void;
  /** Called when the replica could not run a query; the primary runs it. */
  readonly onFailure: (error: unknown) => void;
}

/** A connection for the reads of one request: plain queries go to the replica, all others to the primary. It has no transactions. */
export function routedDb(route: QueryRoute): Db {
  const dialect: Dialect = {
    // The primary's own adapter, since compiled queries are remembered by it.
    createAdapter: () => route.primary.getExecutor().adapter,
    createDriver: () => new RoutedDriver(route),
    createIntrospector: () => route.primary.introspection,
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}

class RoutedConnection implements DatabaseConnection {
  readonly #route: QueryRoute;

  constructor(route: QueryRoute) {
    this.#route = route;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { primary, replica, onWrite, onFailure } = this.#route;
    const isRead = isPlainRead(query);
    if (!isRead) onWrite();
    const place = isRead ? replica() : undefined;
    const copy = { ...query, query: query.query } as CompiledQuery<R>;
    if (!place) return await primary.executeQuery(copy);
    try {
      return await place.executeQuery(copy);
    } catch (error) {
      onFailure(error);
      return await primary.executeQuery(copy);
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

/** Whether a query is a built `select` without locks. Raw SQL, and statements that begin otherwise, may do anything. */
function isPlainRead({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' && query.with === undefined && query.endModifiers === undefined;
}

class RoutedDriver implements Driver {
  readonly #connection: RoutedConnection;

  constructor(route: QueryRoute) {
    this.#connection = new RoutedConnection(route);
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    throw new Error('a transaction is begun by inTransaction, on the primary');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
