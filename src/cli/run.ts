import { serve } from './serve.ts';

/** One word of the command line: what it does and how it is told of. */
export interface Command {
  readonly summary: string;
  /** Answers the exit code. */
  run(args: readonly string[]): Promise<number>;
}

const COMMANDS: Readonly<Record<string, Command>> = { serve };

const HELP = ['-h', '--help', 'help'];

/** Runs the command line; answers the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const [name = '--help', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command.run(rest);
  const lines = Object.entries(COMMANDS).map(([word, { summary }]) => `  ${word.padEnd(10)} ${summary}`);
  const usage = `Usage: copse COMMAND [--help]\n\n${lines.join('\n')}\n`;
  if (HELP.includes(name)) {
    process.stdout.write(usage);
    return 0;
  }
  process.stderr.write(`copse: no such command: ${name}\n\n${usage}`);
  return 2;
}
