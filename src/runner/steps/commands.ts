/** A command that a step prints: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Commands that are only shown: readers of the log know them. */
const SHOWN = new Set(['group', 'endgroup', 'error', 'warning', 'notice']);
/** They name patterns for annotations, which nothing here has. */
const IGNORED = new Set(['add-matcher', 'remove-matcher']);
/** They would let printed text, such as the title of an issue, change the environment. */
const REFUSED = new Set(['set-env', 'add-path']);

/** Reads a line such as `::error file=a.ts,line=3::message`; undefined for any other. */
export function parseCommand(line: string): WorkflowCommand | undefined {
  const text = line.trimStart();
  const end = text.startsWith('::') ? text.indexOf('::', 2) : -1;
  if (end === -1) return undefined;
  const head = text.slice(2, end);
  const blank = head.indexOf(' ');
  const name = blank === -1 ? head : head.slice(0, blank);
  if (!/^[\w-]{1,100}$/.test(name)) return undefined;
  const list = blank === -1 ? '' : head.slice(blank + 1);
  const pairs = list.split(',').flatMap((part) => {
    const at = part.indexOf('=');
    return at > 0 ? [[part.slice(0, at).trim(), unescaped(part.slice(at + 1), true)]] : [];
  });
  return { name: name.toLowerCase(), properties: Object.fromEntries(pairs), message: unescaped(text.slice(end + 2), false) };
}

function unescaped(text: string, isProperty: boolean): string {
  const decoded = text.replaceAll(/%0D/gi, '\r').replaceAll(/%0A/gi, '\n');
  return (isProperty ? decoded.replaceAll(/%3A/gi, ':').replaceAll(/%2C/gi, ',') : decoded).replaceAll('%25', '%');
}

/** The effects of commands. */
export interface CommandEffects {
  readonly log: (line: string) => void;
  readonly mask: (text: string) => void;
  readonly isDebugging: boolean;
}

/** Follows the commands among the lines of one step. */
export class CommandReader {
  readonly outputs = new Map<string, string>();
  readonly state = new Map<string, string>();
  /** A command was refused: the step fails. */
  problem: string | undefined;
  readonly #effects: CommandEffects;
  /** The word that ends a time without commands. */
  #stopWord: string | undefined;
  #isEchoing = false;

  constructor(effects: CommandEffects) {
    this.#effects = effects;
  }

  /** Takes a line that the step printed. */
  take(line: string): void {
    const command = parseCommand(line);
    if (this.#stopWord !== undefined) {
      if (command?.name === this.#stopWord.toLowerCase()) this.#stopWord = undefined;
      this.#effects.log(line);
      return;
    }
    if (!command) this.#effects.log(line);
    else this.#follow(command, line);
  }

  #follow({ name, properties, message }: WorkflowCommand, line: string): void {
    const { log, mask, isDebugging } = this.#effects;
    if (this.#isEchoing && !SHOWN.has(name) && name !== 'add-mask') log(line);
    if (SHOWN.has(name)) log(line);
    else if (IGNORED.has(name)) return;
    else if (REFUSED.has(name)) this.#refuse(name);
    else if (name === 'add-mask') mask(message);
    else if (name === 'debug') {
      if (isDebugging) log(line);
    } else if (name === 'stop-commands') this.#stopWord = message;
    else if (name === 'echo') this.#isEchoing = message.trim().toLowerCase() === 'on';
    else if (name === 'set-output') this.#keep(this.outputs, name, properties.name, message);
    else if (name === 'save-state') this.#keep(this.state, name, properties.name, message);
    else log(line);
  }

  #refuse(name: string): void {
    this.problem = `the command ${name} is refused: write to the file of ${name === 'set-env' ? 'GITHUB_ENV' : 'GITHUB_PATH'} instead`;
    this.#effects.log(`::error::${this.problem}`);
  }

  #keep(kept: Map<string, string>, command: string, name: string | undefined, value: string): void {
    if (!name) {
      this.problem = `the command ${command} has no name`;
      return;
    }
    kept.set(name, value);
    const file = command === 'set-output' ? 'GITHUB_OUTPUT' : 'GITHUB_STATE';
    this.#effects.log(`::warning::The command ${command} is deprecated: write to the file of ${file} instead`);
  }
}
