import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely';
import type { Db } from './database.ts';

/**
 * A query that is asked for often: written with the builder, compiled at its first use, afterwards only given its values.
 * Building and compiling takes as long as SQLite needs for the answer.
 * @param build called once for each kind of database, with stand-ins for the values: it must not look at them
 */
export function prepared<V extends readonly unknown[], R>(
  build: (db: Db, ...values: V) => Compilable<R>,
): (db: Db, ...values: V) => Promise<R[]> {
  const compiled = new WeakMap<DialectAdapter, Template>();
  return async (db, ...values) => {
    const { adapter } = db.getExecutor();
    let template = compiled.get(adapter);
    if (!template) {
      template = compile(db, build, values.length);
      compiled.set(adapter, template);
    }
    const { query, places } = template;
    const parameters = query.parameters.map((constant, at) => (places[at] === undefined ? constant : values[places[at]]));
    return (await db.executeQuery<R>({ ...query, parameters })).rows;
  };
}

interface Template {
  query: CompiledQuery;
  /** For each parameter of the statement the place of its value; undefined for what is always the same. */
  places: (number | undefined)[];
}

function compile<V extends readonly unknown[], R>(db: Db, build: (db: Db, ...values: V) => Compilable<R>, count: number): Template {
  const standIns = Array.from({ length: count }, () => ({}));
  const query = build(db, ...(standIns as unknown as V)).compile();
  const places = query.parameters.map((parameter) => {
    const at = standIns.indexOf(parameter as object);
    return at < 0 ? undefined : at;
  });
  return { query, places };
}
