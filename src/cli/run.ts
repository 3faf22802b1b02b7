import { COPSE_VERSION } from '../instance/version.ts';
import { type LoadCommand, type Terminal, words } from './words.ts';

/** Loaded when they are used: a server would keep the code of the others in memory. */
const COMMANDS: Readonly<Record<string, LoadCommand>> = {
  serve: async () => (await import('./serve.ts')).serve,
  admin: async () => (await import('./admin.ts')).admin,
  doctor: async () => (await import('./doctor.ts')).doctor,
  status: async () => (await import('./status.ts')).status,
  storage: async () => (await import('./storage.ts')).storage,
  database: async () => (await import('./database.ts')).database,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  import: async () => (await import('./import.ts')).importData,
  migrate: async () => (await import('./migrate.ts')).migrate,
  repository: async () => (await import('./repository.ts')).repository,
  runner: async () => (await import('./runner.ts')).runner,
};

const VERSION: readonly string[] = ['-v', '--version', 'version'];

/** Runs the command line; returns the exit code. */
export function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.length === 1 && VERSION.includes(args[0] ?? '')) {
    terminal.out(`copse ${COPSE_VERSION}\n`);
    return Promise.resolve(0);
  }
  return words('copse', 'Hosts Git repositories.', COMMANDS).run(args, terminal);
}
