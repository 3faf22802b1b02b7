import { type CopyProgress, copyDatabase } from '../backup/rows/copy.ts';
import { type DatabaseLocation, isSameLocation, LocationError, parseLocation } from '../backup/rows/location.ts';
import { loadSettings } from '../settings.ts';
import { progressBar } from './progress-bar.ts';
import { type Option, offlineTask, UsageError } from './task.ts';
import { type Terminal, words } from './words.ts';

const OPTIONS = {
  from: { type: 'string', required: true, meaning: 'The database that has the rows: current, sqlite:/PATH or postgres://….' },
  to: { type: 'string', required: true, meaning: 'The empty one that gets them, named in the same way.' },
} as const satisfies Record<string, Option>;

const copy = offlineTask(
  'copse database copy',
  'Copies the database of a stopped server into an empty one, between SQLite and PostgreSQL.',
  OPTIONS,
  async (values, terminal) => {
    const [from, to] = [locationOf('from', values.from, terminal), locationOf('to', values.to, terminal)];
    if (isSameLocation(from, to)) throw new UsageError('--from and --to are the same database');
    const tables = await copyDatabase(from, to, printProgress(terminal));
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return `copied ${rows} rows of ${tables.length} tables; they are the same in both`;
  },
);

/** `copse database`. */
export const database = words('copse database', 'Moves the database between SQLite and PostgreSQL.', { copy });

function locationOf(option: string, text: string, { environment }: Terminal): DatabaseLocation {
  try {
    return parseLocation(text, loadSettings({ environment }));
  } catch (error) {
    throw error instanceof LocationError ? new UsageError(`--${option} ${error.message}`) : error;
  }
}

/** Progress of rows as lines on a terminal. */
export function printProgress(terminal: Terminal): (progress: CopyProgress) => void {
  const print = progressBar(terminal);
  return ({ table, done, total }) => print(done, total, `${table}: ${done} of ${total} rows`);
}
