import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Actor, type RecordOptions, type Response } from './actor.ts';
import { Normalizer } from './normalizer.ts';
import { type Receiver, type Respond, startReceiver } from './receiver.ts';

const PASSWORD = 'Corpus-Passw0rd!';
const PAUSE_MS = 200;
/** Response headers that are part of the API. */
const HEADERS = [
  ...['content-type', 'x-total-count', 'x-page', 'x-perpage', 'x-pagecount', 'x-hasmore', 'link', 'location', 'content-disposition'],
  ...['www-authenticate', 'x-content-type-options', 'access-control-allow-origin', 'access-control-allow-methods'],
  'access-control-allow-headers',
];

/** What a step saw, normalized. */
export interface Outcome {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A step of a scenario: a request and its response, or a value that the scenario recorded. */
export interface RecordedStep extends Outcome {
  readonly label: string;
  /** Where the specification differs from the reference: what is expected instead. */
  readonly override?: Outcome;
}

/** One run of one scenario against one server: what a scenario is called with. */
export class Session {
  readonly base: string;
  /** Makes the names of this run unique. Without digits, since issues that mention somebody are found by the numbers of the name. */
  readonly run = `r${randomBytes(3)
    .toString('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
  readonly normalizer: Normalizer;
  readonly steps: RecordedStep[] = [];
  readonly closers: (() => Promise<void>)[] = [];
  readonly admin: Actor;
  readonly anonymous: Actor;
  /** A folder that goes with the session. */
  readonly scratch: string;

  private constructor(base: string, admin: string, scratch: string) {
    this.base = base.replace(/\/$/, '');
    this.scratch = scratch;
    this.normalizer = new Normalizer(this.base, this.run);
    const colon = admin.indexOf(':');
    this.admin = new Actor(this, { name: admin.slice(0, colon), password: admin.slice(colon + 1) });
    this.anonymous = new Actor(this);
    this.closers.push(() => rm(scratch, { recursive: true, force: true }));
  }

  /** @param admin NAME:PASSWORD of a site administrator */
  static async open(base: string, admin: string): Promise<Session> {
    return new Session(base, admin, await mkdtemp(join(tmpdir(), 'conformance-')));
  }

  async close(): Promise<void> {
    for (const close of this.closers.reverse()) await close();
  }

  /** A name unique to this run: `demo` becomes `demo-r1a2b3`, and `demo-{run}` in records. */
  unique(name: string): string {
    return `${name}-${this.run}`;
  }

  /** Records an object id or a timestamp as `{label}` from here on; returns it. */
  name(value: string, label: string): string {
    this.normalizer.names.set(value, `{${label}}`);
    return value;
  }

  /** Creates a user (not recorded); further fields as in CreateUserOption. */
  async user(name: string, fields: object = {}): Promise<Actor> {
    const username = this.unique(name);
    const account = { username, email: `${username}@example.com`, password: PASSWORD, must_change_password: false, ...fields };
    await this.admin.must('POST', '/admin/users', account);
    return new Actor(this, { name: username, password: PASSWORD });
  }

  /** Creates an organization of `owner` (not recorded); resolves to its name. */
  async org(owner: Actor, name: string, fields: object = {}): Promise<string> {
    const username = this.unique(name);
    await owner.must('POST', '/orgs', { username, ...fields });
    return username;
  }

  /** Records any value as a step, such as a git result or a delivery; returns it. */
  record<T>(label: string, value: T): T {
    this.step(label, { body: this.normalizer.value(value) });
    return value;
  }

  step(label: string, outcome: Outcome, override?: Outcome): void {
    const clean = this.normalizer.string(label.replace(this.base, '{base}'));
    this.steps.push({ label: clean, ...outcome, ...(override && { override }) });
  }

  /** What of a response is recorded. */
  describe(response: Response, { body: mode = 'auto' }: Pick<RecordOptions, 'body'> = {}): Outcome {
    const headers: Record<string, string> = {};
    for (const name of HEADERS) {
      const value = response.headers.get(name);
      if (value === null) continue;
      headers[name] =
        name === 'content-type'
          ? (value.split(';')[0] ?? '').trim()
          : this.normalizer.string(value.replace(/Basic realm="[^"]*"/g, 'Basic realm="{name}"'));
    }
    return { status: response.status, headers, body: this.#body(response, mode) };
  }

  /** Repeats `attempt` until `done` holds or the time has passed; resolves to the last result. */
  async eventually<T>(attempt: () => Promise<T>, done: (result: T) => boolean, timeoutMs = 60_000): Promise<T> {
    for (const end = Date.now() + timeoutMs; ; ) {
      const result = await attempt();
      if (done(result) || Date.now() > end) return result;
      await sleep(PAUSE_MS);
    }
  }

  /** Starts an HTTP receiver on the loopback, whose URL is `{receiver}` in records. */
  async listen(respond?: Respond): Promise<Receiver> {
    const receiver = await startReceiver(respond);
    this.closers.push(receiver.close);
    this.normalizer.aliases.push([receiver.url, '{receiver}']);
    return receiver;
  }

  #body(response: Response, mode: NonNullable<RecordOptions['body']>): unknown {
    const text = () => this.normalizer.string(response.text);
    if (mode === 'ignore') return undefined;
    if (mode === 'size') return response.bytes.length > 0 ? '{bytes}' : '';
    if (mode === 'sha256') return createHash('sha256').update(response.bytes).digest('base64');
    if (typeof mode === 'function' && response.status < 300) {
      try {
        return this.normalizer.value(mode(response.json, response));
      } catch {
        return text();
      }
    }
    if (response.json !== undefined) return this.normalizer.value(response.json);
    if (response.bytes.includes(0)) return '{binary}';
    // The name of a function inside the reference, not meant for clients.
    return response.text === 'reqPackageAccess\n' ? undefined : text();
  }
}
