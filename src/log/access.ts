import { statSync } from 'node:fs';
import { pino } from 'pino';
import type { Settings } from '../settings.ts';

/** A request or an SSH session that has ended. */
export interface AccessRecord {
  readonly requestId: string;
  readonly address: string;
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly method: string;
  /** The pattern of the route; empty where there is none. */
  readonly route: string;
  /** As the client wrote it, without the query, which may have secrets in it. */
  readonly path: string;
  readonly protocol: string;
  /** Of HTTP; of SSH the exit code. */
  readonly status: number;
  /** Sent to the client, as far as they passed through this process. */
  readonly bytes: number;
  readonly milliseconds: number;
  readonly userAgent: string;
}

type Output = ReturnType<typeof pino.destination>;

const MAX_TEXT = 1000;
/** How often a file is looked for, in milliseconds: one that was renamed or removed is opened again. */
const CHECK_MS = 5000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** One line for each request, on standard output or in a file that others rotate. */
export class AccessLog {
  readonly #format: (record: AccessRecord, time: Date) => string;
  readonly #output: Output;
  readonly #timer: NodeJS.Timeout | undefined;

  private constructor(format: 'common' | 'json', file: string | null) {
    this.#format = format === 'json' ? jsonLine : commonLine;
    this.#output =
      file === null
        ? pino.destination({ dest: 1, sync: true })
        : pino.destination({ dest: file, append: true, mkdir: true, mode: 0o600, sync: true });
    // A full disk must not end the process.
    this.#output.on('error', () => {});
    this.#timer = file === null ? undefined : setInterval(() => this.reopen(file), CHECK_MS).unref();
  }

  /** The access log of the settings; undefined where they have none. */
  static open({ access, accessFile }: Settings['log']): AccessLog | undefined {
    return access === 'off' ? undefined : new AccessLog(access, accessFile);
  }

  write(record: AccessRecord): void {
    this.#output.write(`${this.#format(record, new Date())}\n`);
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.#timer) this.#output.end();
  }

  /** Opens the file again if it was renamed or removed. */
  reopen(file: string): void {
    const { fd } = this.#output as unknown as { fd: number };
    const present = statSync(file, { throwIfNoEntry: false });
    if (fd > 2 && present && isOpenAs(fd, present)) return;
    this.#output.reopen();
  }
}

function isOpenAs(fd: number, { ino, dev }: { ino: number; dev: number }): boolean {
  const open = statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false });
  return open === undefined || (open.ino === ino && open.dev === dev);
}

function jsonLine({ milliseconds, user, path, userAgent, ...record }: AccessRecord, time: Date): string {
  const { id = null, name = '' } = user ?? {};
  return JSON.stringify({
    time: time.toISOString(),
    ...record,
    path: path.slice(0, MAX_TEXT),
    userId: id,
    user: name,
    ms: Math.round(milliseconds * 10) / 10,
    userAgent: userAgent.slice(0, MAX_TEXT),
  });
}

/** The Common Log Format, and after it the id of the request and milliseconds. */
function commonLine({ address, user, method, path, protocol, status, bytes, requestId, milliseconds }: AccessRecord, time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${two(time.getUTCDate())}/${MONTHS[time.getUTCMonth()]}/${time.getUTCFullYear()}`;
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())} +0000`;
  const request = `${method} ${path.slice(0, MAX_TEXT)} ${protocol}`.replace(
    /["\\\p{C}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return `${address || '-'} - ${user?.name ?? '-'} [${date}:${clock}] "${request}" ${status} ${bytes} ${requestId} ${Math.round(milliseconds)}ms`;
}
