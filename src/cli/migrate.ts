import { existsSync } from 'node:fs';
import { checkMigrations, migrateDatabase } from '../database/database.ts';
import { databaseOptions } from '../database/from-settings.ts';
import type { MigrationPlan } from '../database/migrate.ts';
import type { DatabaseOptions } from '../database/options.ts';
import { loadSettings } from '../settings.ts';
import { startFailure } from './start-failure.ts';
import { type Option, offlineTask } from './task.ts';
import type { Command, Terminal } from './words.ts';

const OPTIONS = {
  check: {
    type: 'boolean',
    meaning:
      'Only say what would be done. Exits with 0 when nothing is to be done, 1 when something is that older processes can live with, 2 when they have to stop first or it cannot be done.',
  },
  contract: { type: 'boolean', meaning: 'Also make migrations that running processes of older versions cannot live with.' },
} as const satisfies Record<string, Option>;

const task = offlineTask(
  'copse migrate',
  'Brings the schema of the database up to date, also while processes of older versions run. A server does this when it starts.',
  OPTIONS,
  async (values, terminal) => {
    const { done, waiting, older } = await migrateDatabase(optionsOf(terminal), { force: values.contract });
    const made = done.length === 0 ? 'no migration was made' : `made ${done.join(', ')}`;
    if (waiting.length === 0) return `${made}; the database is up to date`;
    return `${made}; waiting until these processes stop: ${waiting.join(', ')}\n${older.join('\n')}`;
  },
);

/** `copse migrate`. */
export const migrate: Command = {
  summary: task.summary,
  run: (args, terminal) => (args.length === 1 && args[0] === '--check' ? check(terminal) : task.run(args, terminal)),
};

async function check(terminal: Terminal): Promise<number> {
  try {
    const options = optionsOf(terminal);
    if (!options.url && !existsSync(options.file)) {
      terminal.out(`there is no database at ${options.file} yet\n`);
      return 1;
    }
    const plan = await checkMigrations(options);
    terminal.out(`${describe(plan)}\n`);
    if (plan.pending.length === 0) return 0;
    return plan.older.length > 0 && plan.pending.some(({ phase }) => phase !== 'expand') ? 2 : 1;
  } catch (error) {
    terminal.error(`copse migrate: ${startFailure(error)}\n`);
    return 2;
  }
}

function optionsOf(terminal: Terminal): DatabaseOptions {
  return databaseOptions(loadSettings({ environment: terminal.environment }));
}

const MEANINGS = {
  expand: 'can be made while older processes run',
  contract: 'waits until no older process runs',
  none: 'needs older processes to be stopped',
} as const;

function describe({ pending, newer, older }: MigrationPlan): string {
  const lines = pending.map(({ name, phase }) => `${name}: ${MEANINGS[phase ?? 'none']}`);
  if (pending.length === 0) lines.push('the database is up to date');
  if (newer.length > 0) lines.push(`made by a newer version, which this one can live with: ${newer.join(', ')}`);
  return [...lines, ...older.map((process) => `older: ${process}`)].join('\n');
}
