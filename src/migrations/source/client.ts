import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostNotAllowedError } from '../../http/outgoing/allowed-hosts.ts';
import {
  fetchOutgoing,
  type OutgoingOptions,
  type OutgoingResponse,
  openOutgoing,
  ResponseTooLargeError,
} from '../../http/outgoing/outgoing.ts';
import { remoteRules } from '../../http/outgoing/remote-url.ts';
import type { Settings } from '../../settings.ts';
import { SourceError } from './errors.ts';
import { parseJson } from './json.ts';
import { rateLimitDelay } from './rate-limit.ts';

type UsedSettings = Pick<Settings, 'outgoing' | 'migrations'>;

/** The options of a client. */
export interface SourceClientOptions {
  readonly settings: UsedSettings;
  /** Requests go below this URL alone; it ends with a slash. */
  readonly base: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Values of `Authorization`, none or several: while the server limits the requests with one, the next is used. They are sent to no other
   * origin after a redirect.
   */
  readonly authorizations: readonly string[];
  readonly signal: AbortSignal;
  /** Called when the client waits for a server that limits its requests. */
  readonly onWait: (until: Date) => void;
}

/** The response of an API: its JSON and its headers. */
export interface SourceResponse {
  readonly json: unknown;
  readonly header: (name: string) => string;
}

/** Some APIs refuse requests without one. */
const USER_AGENT = 'Copse';
/** Size limit of one response of an API in bytes. */
const MAX_RESPONSE = 16 * 1024 * 1024;
/** Requests of one migration. */
const MAX_REQUESTS = 2_000_000;
/** How often in a row a server may put off one request. */
const MAX_WAITS = 20;

/**
 * Sends the requests of one migration to the API of its source: with its credentials, as often as the settings say when it fails for a
 * moment, and no more often than the source allows.
 */
export class SourceClient {
  readonly #options: SourceClientOptions;
  readonly #outgoing: Settings['outgoing'];
  /** Until when the server limits the requests with each authorization, in milliseconds since 1970. */
  readonly #limitedUntil: number[];
  #authorization = 0;
  #requests = 0;

  constructor(options: SourceClientOptions) {
    this.#options = options;
    this.#outgoing = remoteRules(options.settings);
    this.#limitedUntil = options.authorizations.map(() => 0);
  }

  /** Requests go below this URL. */
  get base(): string {
    return this.#options.base;
  }

  /**
   * The JSON of a path below the base.
   * @throws SourceError, HostNotAllowedError, the reason of the aborted signal
   */
  async get(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<SourceResponse> {
    return this.send(this.#urlOf(path, query));
  }

  /** {@link get}, but undefined if there is no such thing. */
  async find(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<SourceResponse | undefined> {
    try {
      return await this.get(path, query);
    } catch (error) {
      if (error instanceof SourceError && error.fault === 'missing') return undefined;
      throw error;
    }
  }

  /**
   * Sends a request to a URL, which has to be below the base.
   * @param optionsOf its headers and body, created for each attempt: signatures contain the time
   */
  async send(url: string, optionsOf: () => Pick<OutgoingOptions, 'method' | 'body' | 'headers'> = () => ({})): Promise<SourceResponse> {
    const response = await this.#fetch(url, optionsOf);
    return { json: parseJson(response.body), header: headerOf(response) };
  }

  /** The text of a path below the base, for APIs that do not use JSON; undefined if there is no such thing. */
  async findText(
    path: string,
    accept: string,
    query: Readonly<Record<string, string | number | undefined>> = {},
  ): Promise<string | undefined> {
    try {
      return (await this.#fetch(this.#urlOf(path, query), () => ({ headers: { accept } }))).body.toString('utf8');
    } catch (error) {
      if (error instanceof SourceError && error.fault === 'missing') return undefined;
      throw error;
    }
  }

  async #fetch(url: string, optionsOf: () => Pick<OutgoingOptions, 'method' | 'body' | 'headers'>): Promise<OutgoingResponse<Buffer>> {
    if (!url.startsWith(this.#options.base)) throw new SourceError('content', 'the server names a URL that is not its own');
    return this.#retrying(() => {
      const options = optionsOf();
      const headers = { accept: 'application/json', ...this.#headers, ...options.headers };
      return fetchOutgoing({ outgoing: this.#outgoing }, url, { ...this.#common, maxResponse: MAX_RESPONSE, ...options, headers });
    });
  }

  /**
   * Opens the bytes of a file. The credentials are sent to the origin of the API alone.
   * @throws SourceError, HostNotAllowedError
   */
  async open(url: string, accept = '*/*'): Promise<Readable> {
    if (!URL.canParse(url)) throw new SourceError('content', 'the server names a file by an invalid URL');
    const isOwn = new URL(url).origin === new URL(this.#options.base).origin;
    const response = await this.#retrying(() => {
      const headers = { 'user-agent': USER_AGENT, ...(isOwn && this.#headers), accept };
      return openOutgoing({ outgoing: this.#outgoing }, url, {
        ...this.#common,
        timeout: this.#options.settings.migrations.timeout,
        headers,
      });
    });
    return response.body;
  }

  get #headers(): Record<string, string> {
    const authorization = this.#options.authorizations[this.#authorization];
    return { 'user-agent': USER_AGENT, ...this.#options.headers, ...(authorization !== undefined && { authorization }) };
  }

  get #common() {
    const { settings, signal } = this.#options;
    return { signal, verifyCertificates: settings.migrations.verifyCertificates };
  }

  #urlOf(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
    const url = new URL(this.#options.base + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    return url.href;
  }

  async #retrying<B>(request: () => Promise<OutgoingResponse<B>>): Promise<OutgoingResponse<B>> {
    const { migrations } = this.#options.settings;
    let attempt = 1;
    for (let waits = 0; ; ) {
      this.#count();
      const result = await request().catch((error: unknown) => this.#networkError(error));
      if (!(result instanceof SourceError) && result.status >= 200 && result.status < 300) return result;
      const delay = result instanceof SourceError ? undefined : rateLimitDelay(result, Date.now());
      discard(result);
      if (delay !== undefined) {
        waits++;
        await this.#wait(delay, waits);
        continue;
      }
      const isTemporary = result instanceof SourceError || result.status >= 500 || result.status === 408;
      if (!isTemporary || attempt >= migrations.maxAttempts) throw result instanceof SourceError ? result : refusal(result);
      await sleep(migrations.retryBackoff * attempt, undefined, { signal: this.#options.signal });
      attempt++;
    }
  }

  #count(): void {
    this.#options.signal.throwIfAborted();
    this.#requests++;
    if (this.#requests > MAX_REQUESTS) throw new SourceError('content', `the migration takes more than ${MAX_REQUESTS} requests`);
  }

  /** @throws errors that a retry would not resolve */
  #networkError(error: unknown): SourceError {
    this.#options.signal.throwIfAborted();
    if (error instanceof HostNotAllowedError) throw error;
    if (error instanceof ResponseTooLargeError) throw new SourceError('content', error.message);
    return new SourceError('other', `${new URL(this.#options.base).host} could not be reached: ${messageOf(error)}`);
  }

  /** Uses another authorization, or waits if all are rate limited. */
  async #wait(milliseconds: number, waits: number): Promise<void> {
    const { settings, signal, onWait } = this.#options;
    const time = Date.now();
    this.#limitedUntil[this.#authorization] = time + milliseconds;
    const first = Math.min(...this.#limitedUntil);
    this.#authorization = Math.max(0, this.#limitedUntil.indexOf(first));
    const delay = Math.max(0, first - time);
    if (delay > settings.migrations.maxRateLimitWait || waits > MAX_WAITS)
      throw new SourceError('rate-limit', 'the server limits its requests for too long');
    if (delay === 0) return;
    onWait(new Date(first));
    await sleep(delay, undefined, { signal });
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return 'it took too long';
  return 'code' in error ? String(error.code) : error.message.slice(0, 200);
}

function headerOf({ headers }: OutgoingResponse<unknown>): (name: string) => string {
  return (name) => String(headers[name] ?? '');
}

/** The body of a response that nobody reads. */
function discard(result: unknown): void {
  const body = typeof result === 'object' && result !== null && 'body' in result ? result.body : undefined;
  if (body instanceof Object && 'destroy' in body) (body as Readable).on('error', () => {}).destroy();
}

function refusal(response: OutgoingResponse<unknown>): SourceError {
  const { status } = response;
  const header = headerOf(response);
  if (status === 404 || status === 410)
    return new SourceError('missing', `${new URL(response.url).host} has no such project, or does not show it`);
  const isTwoFactor = /required/i.test(header('x-gitea-otp') + header('x-gogs-otp') + header('x-github-otp') + header('x-forgejo-otp'));
  if (status === 401 && isTwoFactor) return new SourceError('two-factor', 'the server asks for a second factor');
  if (status === 401 || status === 403)
    return new SourceError('authentication', `${new URL(response.url).host} refused the request with ${status}`);
  return new SourceError('other', `${new URL(response.url).host} responded with ${status}`);
}
