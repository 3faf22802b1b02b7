import { admin } from './admin.ts';
import { database } from './database.ts';
import { doctor } from './doctor.ts';
import { importData } from './import.ts';
import { runner } from './runner.ts';
import { serve } from './serve.ts';
import { status } from './status.ts';
import { storage } from './storage.ts';
import { type Command, type Terminal, words } from './words.ts';

const COMMANDS: Readonly<Record<string, Command>> = { serve, admin, doctor, status, storage, database, import: importData, runner };

/** Runs the command line; returns the exit code. */
export function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  return words('copse', 'Hosts Git repositories.', COMMANDS).run(args, terminal);
}
