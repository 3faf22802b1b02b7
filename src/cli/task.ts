import { parseArgs } from 'node:util';
import { commandAct } from '../audit/command.ts';
import { type Context, internalContext } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { createLogger } from '../log.ts';
import { closeServices, openServices } from '../server.ts';
import { loadSettings } from '../settings.ts';
import { startFailure } from './start-failure.ts';
import type { Command, Terminal } from './words.ts';

/** One option: the type of its value, and its purpose. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** The command cannot do without it. */
  readonly required?: boolean;
  readonly meaning: string;
}

type Options = Readonly<Record<string, Option>>;
type Values<O extends Options> = {
  [K in keyof O]: O[K]['type'] extends 'boolean' ? boolean : O[K]['required'] extends true ? string : string | undefined;
};

/** A mistake of the caller, with a message for the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * A command that works on the data of the instance, whether or not the server runs. Its result is printed.
 * @param line all words of the command, as the user types them
 */
export function task<const O extends Options>(
  line: string,
  summary: string,
  options: O,
  run: (context: Context, values: Values<O>, terminal: Terminal) => Promise<string>,
): Command {
  return offlineTask(line, summary, options, async (values, terminal) => {
    const settings = loadSettings({ environment: terminal.environment });
    const services = await openServices(settings, createLogger({ ...settings.log, level: 'silent' }));
    try {
      const context = internalContext(services);
      return await run({ ...context, act: commandAct(context, line, values) }, values, terminal);
    } finally {
      await closeServices(services);
    }
  });
}

/**
 * A command that opens its own resources. Its result is printed.
 * @param line all words of the command, as the user types them
 */
export function offlineTask<const O extends Options>(
  line: string,
  summary: string,
  options: O,
  run: (values: Values<O>, terminal: Terminal) => Promise<string>,
): Command {
  const usage = usageOf(line, summary, options);
  return {
    summary,
    run: async (args, terminal) => {
      if (args.includes('--help') || args.includes('-h')) {
        terminal.out(usage);
        return 0;
      }
      try {
        const values = readOptions(args, options) as Values<O>;
        terminal.out(`${await run(values, terminal)}\n`);
        return 0;
      } catch (error) {
        return printError(terminal, line, usage, error);
      }
    },
  };
}

function printError(terminal: Terminal, line: string, usage: string, error: unknown): number {
  if (error instanceof UsageError) {
    terminal.error(`${line}: ${error.message}\n\n${usage}`);
    return 2;
  }
  terminal.error(`${line}: ${error instanceof HttpError ? error.message : startFailure(error)}\n`);
  return 1;
}

function readOptions(args: readonly string[], options: Options): Record<string, string | boolean | undefined> {
  const kinds = Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }]));
  let values: Record<string, string | boolean | undefined>;
  try {
    values = parseArgs({ args: [...args], options: kinds, allowNegative: true, strict: true }).values as typeof values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  for (const [name, { type, required }] of Object.entries(options)) {
    if (type === 'boolean') values[name] ??= false;
    if (required && !values[name]) throw new UsageError(`--${name} is missing`);
  }
  return values;
}

function usageOf(line: string, summary: string, options: Options): string {
  const rows = Object.entries(options).map(([name, { type, required, meaning }]) => {
    const word = type === 'string' ? `--${name} ${name.toUpperCase()}` : `--${name}`;
    return [word, required ? `${meaning} Needed.` : meaning] as const;
  });
  const width = Math.max(0, ...rows.map(([word]) => word.length));
  const lines = rows.map(([word, meaning]) => `  ${word.padEnd(width)}  ${meaning}`);
  return `Usage: ${line} [OPTIONS]\n\n${summary}\n\n${lines.join('\n')}\n`;
}
