import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { promisify } from 'node:util';
import { request } from 'undici';
import { undescribed } from './described.ts';

/** What a server answered. */
export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  bytes: Buffer;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever its shape
  json: any;
}

/** What a request carries besides its path. */
export interface TestRequest {
  json?: unknown;
  raw?: string | Uint8Array;
  type?: string;
  form?: FormData;
  headers?: Record<string, string>;
}

/** Nothing is done by itself afterwards, while a test goes on. */
const CONFIG = ['-c', 'init.defaultBranch=main', '-c', 'maintenance.auto=false'];

/** A caller of the API: nobody, an account with its password, or a token. */
export class Client {
  readonly #url: () => string;
  readonly name: string;
  readonly password: string;
  readonly #authorization: string;

  constructor(url: () => string, account: { name?: string; password?: string; authorization?: string } = {}) {
    this.#url = url;
    this.name = account.name ?? '';
    this.password = account.password ?? '';
    const basic = `Basic ${Buffer.from(`${this.name}:${this.password}`).toString('base64')}`;
    this.#authorization = account.authorization ?? (this.name ? basic : '');
  }

  /** Sends a request; a path is relative to `/api/v1`, `//x` is `/x` at the root. The response has to be what the description says. */
  async send(method: string, path: string, { json, raw, type, form, headers = {} }: TestRequest = {}): Promise<TestResponse> {
    const url = path.startsWith('//') ? new URL(path.slice(1), this.#url()) : new URL(`/api/v1${path}`, this.#url());
    const all: Record<string, string> = { accept: '*/*', 'user-agent': 'node', ...headers };
    if (this.#authorization && !('authorization' in all)) all.authorization = this.#authorization;
    let body: string | Uint8Array | null = null;
    if (json !== undefined) {
      body = JSON.stringify(json);
      all['content-type'] ??= 'application/json';
    } else if (raw !== undefined) {
      body = raw;
      all['content-type'] ??= type ?? 'application/json';
    } else if (form) {
      const encoded = new Response(form);
      body = await encoded.bytes();
      all['content-type'] ??= encoded.headers.get('content-type') ?? '';
    }
    // A third of the processor time of fetch, which is most of the time of tests that send thousands of requests.
    const response = await request(url, { method, headers: all, body });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const text = bytes.toString('utf8');
    const received = { status: response.statusCode, headers: headersOf(response.headers), text, bytes, json: parsed(text) };
    const fault = undescribed(method, url.pathname, { ...received, type: received.headers.get('content-type') });
    assert.ok(fault === undefined, `${method} ${path}: ${fault}`);
    return received;
  }

  get(path: string, request?: TestRequest): Promise<TestResponse> {
    return this.send('GET', path, request);
  }
  post(path: string, json?: unknown, request?: TestRequest): Promise<TestResponse> {
    return this.send('POST', path, { json, ...request });
  }
  put(path: string, json?: unknown, request?: TestRequest): Promise<TestResponse> {
    return this.send('PUT', path, { json, ...request });
  }
  patch(path: string, json?: unknown, request?: TestRequest): Promise<TestResponse> {
    return this.send('PATCH', path, { json, ...request });
  }
  delete(path: string, json?: unknown, request?: TestRequest): Promise<TestResponse> {
    return this.send('DELETE', path, { json, ...request });
  }

  /** Sends a request that has to answer 2xx; returns its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever its shape
  async must(method: string, path: string, json?: unknown): Promise<any> {
    const answer = await this.send(method, path, { json });
    assert.ok(answer.status >= 200 && answer.status < 300, `${method} ${path} answered ${answer.status}: ${answer.text}`);
    return answer.json;
  }

  /** A client that signs in with a fresh token of these scopes. */
  async token(scopes: string[] = ['all'], name = `token-${Math.random().toString(36).slice(2)}`): Promise<Client> {
    const { sha1 } = await this.must('POST', `/users/${this.name}/tokens`, { name, scopes });
    return new Client(this.#url, { name: this.name, password: sha1, authorization: `token ${sha1}` });
  }

  /** The address that git clones `owner/name` from, with the credentials in it. */
  remote(repository: string): string {
    const url = new URL(`/${repository}.git`, this.#url());
    url.username = encodeURIComponent(this.name);
    url.password = encodeURIComponent(this.password);
    return url.href;
  }

  /** Runs git with a fixed identity and date. */
  async git(args: string[], cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = {
      ...process.env,
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      LC_ALL: 'C',
      GIT_AUTHOR_NAME: 'Tester',
      GIT_AUTHOR_EMAIL: 'tester@example.com',
      GIT_AUTHOR_DATE: '2024-01-02T03:04:05+00:00',
      GIT_COMMITTER_NAME: 'Tester',
      GIT_COMMITTER_EMAIL: 'tester@example.com',
      GIT_COMMITTER_DATE: '2024-01-02T03:04:05+00:00',
    };
    try {
      const done = await promisify(execFile)('git', [...CONFIG, ...args], { cwd, env, maxBuffer: 1 << 28 });
      return { code: 0, stdout: done.stdout, stderr: done.stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headersOf(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received)) {
    // As with fetch, a character is a byte.
    for (const value of [values].flat()) headers.append(name, Buffer.from(value).toString('latin1'));
  }
  return headers;
}
