import { COPSE_VERSION } from '../instance/version.ts';
import { admin } from './admin.ts';
import { backup } from './backup.ts';
import { database } from './database.ts';
import { doctor } from './doctor.ts';
import { importData } from './import.ts';
import { migrate } from './migrate.ts';
import { repository } from './repository.ts';
import { restore } from './restore.ts';
import { runner } from './runner.ts';
import { serve } from './serve.ts';
import { status } from './status.ts';
import { storage } from './storage.ts';
import { type Command, type Terminal, words } from './words.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  admin,
  doctor,
  status,
  storage,
  database,
  backup,
  restore,
  import: importData,
  migrate,
  repository,
  runner,
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
