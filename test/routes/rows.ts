import type { TestServer } from '../support/server.ts';

/** Every row of the database as text, by its table and its key. */
export type Rows = ReadonlyMap<string, string>;

/** What changes by itself; besides those of words, which are those of an index. */
const RESTLESS = [
  'access_tokens',
  'audit_entries',
  'cron_tasks',
  'events',
  'event_cursors',
  'event_leases',
  'jobs',
  'processes',
  'process_metrics',
  'sessions',
  'sign_in_counters',
  'task_runs',
];

/** Everything that is in the database now. */
export async function readRows({ context }: TestServer): Promise<Rows> {
  const { db } = context;
  const rows = new Map<string, string>();
  for (const { name } of await db.introspection.getTables()) {
    if (RESTLESS.includes(name) || /_(words|texts)/.test(name)) continue;
    const found = (await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute()) as unknown as Record<string, unknown>[];
    for (const row of found) {
      // A row without an id of its own is another one when it changes.
      const key = Object.entries(row).filter(([column]) => column === 'id' || row.id === undefined);
      // The size of a repository is measured some time after it has changed.
      rows.set(`${name} ${JSON.stringify(key)}`, JSON.stringify({ ...row, size: name === 'repositories' ? 0 : row.size }));
    }
  }
  return rows;
}

/** The rows that have changed, gone, or come: what they were and what they are. */
export function differences(before: Rows, after: Rows): { key: string; was: string | undefined; is: string | undefined }[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    return was === is ? [] : [{ key, was, is }];
  });
}
