import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ObjectFormat } from '../repository.ts';
import { CUSTOM_HOOKS_FOLDER } from './custom-hooks.ts';
import { PROC_RECEIVE_SCRIPT } from './proc-receive.ts';
import { type PushCommand, readCommand } from './push-commands.ts';
import { PULL_REFS } from './receive-config.ts';

/*
 * git runs its hooks; these hooks send a request to the server, over a socket that the server opened before it started git and that every
 * child process inherits as descriptor 3. So a push is checked without starting anything but a shell.
 *
 * hook → server: the hook's name, the three quarantine variables (empty when unset), one line for each ref, a lone dot. server → hook:
 * lines for the user with `|` before each, then `ok` or `no`.
 */

/** The environment in which git sees the objects of a push before it is accepted; only the checks of that push get it. */
export type QuarantineEnvironment = Readonly<Record<string, string>>;

/** A request of a hook. */
export type HookRequest =
  | { hook: 'pre-receive'; commands: PushCommand[]; quarantine: QuarantineEnvironment }
  | { hook: 'post-receive'; commands: PushCommand[] };

/** The server's response: lines for the user, and whether to continue. */
export interface HookResponse {
  ok: boolean;
  lines: readonly string[];
}

/** Makes a hook use `cat` for its lines: a shell reads byte by byte, and another process only pays off for many. */
export const MANY_REFS_VARIABLE = 'COPSE_MANY_REFS';
/** Makes the hooks run the repository's custom hooks afterwards (custom-hooks.ts). */
export const CUSTOM_HOOKS_VARIABLE = 'COPSE_CUSTOM_HOOKS';
const QUARANTINE_VARIABLES = ['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_QUARANTINE_PATH'] as const;
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

function script(hook: HookRequest['hook']): string {
  return `#!/bin/sh
# Asks the server over descriptor 3 what to do with a push.
{
  printf '%s\\n' ${hook} ${QUARANTINE_VARIABLES.map((name) => `"$${name}"`).join(' ')}
  if [ -n "$${CUSTOM_HOOKS_VARIABLE}" ]; then refs=$(cat); printf '%s\\n' "$refs"
  elif [ -n "$${MANY_REFS_VARIABLE}" ]; then cat
  else while IFS= read -r line; do printf '%s\\n' "$line"; done
  fi
  printf '.\\n'
} >&3 || exit 1
while IFS= read -r line <&3; do
  case $line in
    ok) break ;;
    no) exit 1 ;;
    *) printf '%s\\n' "\${line#?}" >&2 ;;
  esac
done
[ "$line" = ok ] || exit 1
if [ -n "$${CUSTOM_HOOKS_VARIABLE}" ] && [ -x ${CUSTOM_HOOKS_FOLDER}/${hook} ]; then
  exec 3>&- 4>&-
  printf '%s\\n' "$refs" | ${CUSTOM_HOOKS_FOLDER}/${hook}
fi
`;
}

/** For each ref: no push moves those of pull requests; for the others only the custom hook decides. */
const UPDATE_SCRIPT = `#!/bin/sh
exec 3>&- 4>&-
case $1 in ${PULL_REFS}*) exit 1 ;; esac
[ -z "$${CUSTOM_HOOKS_VARIABLE}" ] || [ ! -x ${CUSTOM_HOOKS_FOLDER}/update ] || exec ${CUSTOM_HOOKS_FOLDER}/update "$@"
`;

/** The folder of hooks for git: most pushes do not need a hook that is started for each ref. */
export function hooksFolder(folder: string, withUpdate: boolean): string {
  return join(folder, withUpdate ? 'each-ref' : 'push');
}

/** Writes the hooks into their folder; {@link hooksFolder} is the one that git uses. Called once, at the start. */
export async function writeHooks(folder: string): Promise<void> {
  for (const withUpdate of [false, true]) {
    const hooksPath = hooksFolder(folder, withUpdate);
    await mkdir(hooksPath, { recursive: true });
    for (const hook of ['pre-receive', 'post-receive'] as const) await writeScript(join(hooksPath, hook), script(hook));
    await writeScript(join(hooksPath, 'proc-receive'), PROC_RECEIVE_SCRIPT);
    if (withUpdate) await writeScript(join(hooksPath, 'update'), UPDATE_SCRIPT);
  }
}

/** Replaces the file instead of overwriting it: another server process may be running the old one. */
async function writeScript(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, text, { mode: 0o755 });
  await rename(temporary, path);
}

/**
 * Responds to the hooks on the other side of `channel` until it ends. An error of `decide` becomes a refusal without a reason, and is passed
 * to `onError`.
 */
export function serveHooks(
  channel: Duplex,
  format: ObjectFormat,
  decide: (request: HookRequest) => Promise<HookResponse>,
  onError: (error: unknown) => void,
): void {
  let reader = new RequestReader(format);
  let rest = '';
  let size = 0;
  channel.setEncoding('utf8');
  channel.on('data', (text: string) => {
    size += text.length;
    if (size > MAX_REQUEST_BYTES) return void channel.destroy();
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    try {
      for (const line of parts) {
        const request = reader.add(line);
        if (!request) continue;
        reader = new RequestReader(format);
        void reply(channel, request, decide, onError);
      }
    } catch (error) {
      onError(error);
      channel.destroy();
    }
  });
  // A hook without a response refuses the push.
  channel.on('error', () => {});
}

async function reply(
  channel: Duplex,
  request: HookRequest,
  decide: (request: HookRequest) => Promise<HookResponse>,
  onError: (error: unknown) => void,
): Promise<void> {
  let result: HookResponse;
  try {
    result = await decide(request);
  } catch (error) {
    onError(error);
    result = { ok: false, lines: ['error: internal error'] };
  }
  const output = result.lines.flatMap((line) => line.split('\n')).map((line) => `|${line.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')}\n`);
  if (channel.writable) channel.write(`${output.join('')}${result.ok ? 'ok' : 'no'}\n`);
}

/** Reads one request line by line as it arrives: parsing 100,000 refs at once would take a tenth of a second. */
class RequestReader {
  readonly #format: ObjectFormat;
  readonly #head: string[] = [];
  readonly #commands: PushCommand[] = [];

  constructor(format: ObjectFormat) {
    this.#format = format;
  }

  /** @returns the request, after its last line */
  add(line: string): HookRequest | undefined {
    if (line === '.') return this.#request();
    // The hook's name and the variables.
    if (this.#head.length <= QUARANTINE_VARIABLES.length) {
      this.#head.push(line);
      return undefined;
    }
    const command = readCommand(line, this.#format);
    if (!command) throw new Error('a hook received invalid object ids');
    this.#commands.push(command);
    return undefined;
  }

  #request(): HookRequest {
    const [hook, ...values] = this.#head;
    const commands = this.#commands;
    if (hook === 'post-receive') return { hook, commands };
    if (hook !== 'pre-receive') throw new Error('unknown hook');
    const set = QUARANTINE_VARIABLES.flatMap((name, index) => (values[index] ? [[name, values[index]] as const] : []));
    return { hook, commands, quarantine: Object.fromEntries(set) };
  }
}
