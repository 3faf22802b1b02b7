/** The input and output of a command. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Asks for a secret. */
  secret(prompt: string): Promise<string>;
  out(text: string): void;
  error(text: string): void;
}

/** One word of the command line: its action and its description in the help. */
export interface Command {
  readonly summary: string;
  /** Returns the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** A command that is loaded when it is used. */
export type LoadCommand = () => Promise<Command>;

/** The words for help. */
export const HELP: readonly string[] = ['-h', '--help', 'help'];

/**
 * A word that only leads to further ones; alone, or with `--help`, it lists them.
 * @param line all words up to here, as the user types them
 */
export function words(line: string, summary: string, commands: Readonly<Record<string, Command | LoadCommand>>): Command {
  return {
    summary,
    run: async (args, terminal) => {
      const [name = '--help', ...rest] = args;
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (command) return (await loaded(command)).run(rest, terminal);
      const width = Math.max(...Object.keys(commands).map((word) => word.length));
      const all = await Promise.all(Object.entries(commands).map(async ([word, command]) => ({ word, ...(await loaded(command)) })));
      const lines = all.map(({ word, summary }) => `  ${word.padEnd(width)}  ${summary}`);
      const usage = `Usage: ${line} COMMAND [--help]\n\n${summary}\n\n${lines.join('\n')}\n`;
      if (HELP.includes(name)) {
        terminal.out(usage);
        return 0;
      }
      terminal.error(`${line}: no such command: ${name}\n\n${usage}`);
      return 2;
    },
  };
}

async function loaded(command: Command | LoadCommand): Promise<Command> {
  return typeof command === 'function' ? await command() : command;
}
