import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GitResult, runGit } from './git.ts';
import type { RecordedStep, Session } from './session.ts';

const TIMEOUT_MS = 30_000;

/** A response, read whole. */
export interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined where the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: scenarios reach into responses of every shape
  readonly json: any;
}

/** The body and headers of a request. */
export interface RequestOptions {
  readonly json?: unknown;
  readonly raw?: string | Buffer<ArrayBuffer>;
  /** The content type of `raw`. */
  readonly type?: string;
  readonly form?: Readonly<Record<string, string | { content: string | Buffer<ArrayBuffer>; type?: string; filename: string }>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How a recorded request is sent and what of its response is recorded. */
export interface RecordOptions extends RequestOptions {
  readonly body?: 'auto' | 'ignore' | 'size' | 'sha256' | ((json: unknown, response: Response) => unknown);
  /** The path in the record, where it has ids in its query. */
  readonly label?: string;
  /** The request is repeated until this holds. */
  readonly until?: (response: Response) => boolean;
  readonly override?: Partial<RecordedStep>;
}

interface PushOptions {
  readonly branch?: string;
  /** The branch to start at, for a new one. */
  readonly from?: string;
  /** Texts by path; null deletes the file. */
  readonly files?: Readonly<Record<string, string | null>>;
  readonly message?: string;
  readonly tag?: string;
  readonly date?: string;
  readonly force?: boolean;
}

/** A setup request failed: the scenario cannot go on. */
export class ScenarioAborted extends Error {
  override readonly name = 'ScenarioAborted';
}

interface Credentials {
  readonly name?: string;
  readonly password?: string;
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One caller of the API: anonymous, a user with a password, or the bearer of a token. */
export class Actor {
  readonly session: Session;
  readonly name: string;
  readonly password: string;
  readonly authorization: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The token of an actor that {@link token} made. */
  secret = '';

  constructor(session: Session, { name = '', password = '', authorization = '', headers = {} }: Credentials = {}) {
    this.session = session;
    this.name = name;
    this.password = password;
    this.headers = headers;
    this.authorization = authorization || (name ? `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` : '');
  }

  /** The same caller with further request headers. */
  with(headers: Readonly<Record<string, string>>): Actor {
    const { name, password, authorization } = this;
    return new Actor(this.session, { name, password, authorization, headers: { ...this.headers, ...headers } });
  }

  /** Sends a request without recording it. A path is relative to `/api/v1`; `//x` is `/x` at the root. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const url = path.startsWith('http') ? path : this.session.base + (path.startsWith('//') ? path.slice(1) : `/api/v1${path}`);
    const headers: Record<string, string> = { accept: 'application/json', ...this.headers, ...options.headers };
    if (this.authorization && !('authorization' in headers)) headers.authorization = this.authorization;
    const body = requestBody(options, headers);
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString('utf8');
    return { status: response.status, headers: response.headers, bytes, text, json: parsed(text) };
  }

  /** Sends a request and records the response as one step of the scenario. */
  async request(method: string, path: string, options: RecordOptions = {}): Promise<Response> {
    const attempt = () => this.send(method, path, options);
    const response = options.until ? await this.session.eventually(attempt, options.until) : await attempt();
    this.session.step(`${method} ${options.label ?? path}`, this.session.describe(response, options), options.override);
    return response;
  }

  get(path: string, options?: RecordOptions): Promise<Response> {
    return this.request('GET', path, options);
  }

  head(path: string, options?: RecordOptions): Promise<Response> {
    return this.request('HEAD', path, options);
  }

  options(path: string, options?: RecordOptions): Promise<Response> {
    return this.request('OPTIONS', path, options);
  }

  post(path: string, json?: unknown, options?: RecordOptions): Promise<Response> {
    return this.request('POST', path, { json, ...options });
  }

  put(path: string, json?: unknown, options?: RecordOptions): Promise<Response> {
    return this.request('PUT', path, { json, ...options });
  }

  patch(path: string, json?: unknown, options?: RecordOptions): Promise<Response> {
    return this.request('PATCH', path, { json, ...options });
  }

  delete(path: string, json?: unknown, options?: RecordOptions): Promise<Response> {
    return this.request('DELETE', path, { json, ...options });
  }

  /**
   * Sends a setup request, which is not recorded; resolves to the JSON of its response, or its text.
   * @throws ScenarioAborted unless the response is 2xx
   */
  // biome-ignore lint/suspicious/noExplicitAny: scenarios reach into responses of every shape
  async must(method: string, path: string, json?: unknown, options?: RequestOptions): Promise<any> {
    const { status, text, json: body } = await this.send(method, path, { json, ...options });
    if (status < 200 || status > 299) throw new ScenarioAborted(`setup ${method} ${path} answered ${status}: ${text.slice(0, 200)}`);
    return body ?? text;
  }

  /** Creates a repository of this user with a first commit; further fields as in CreateRepoOption. */
  repo(name: string, fields: object = {}): Promise<unknown> {
    return this.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main', readme: 'Default', ...fields });
  }

  /** An actor that signs in with a fresh access token of these scopes. */
  async token(scopes: readonly string[] = ['all'], name = `token-${randomBytes(3).toString('hex')}`): Promise<Actor> {
    const { sha1 } = await this.must('POST', `/users/${this.name}/tokens`, { name, scopes });
    const actor = new Actor(this.session, { name: this.name, password: this.password, authorization: `token ${sha1}` });
    actor.secret = sha1;
    return actor;
  }

  /** The URL of owner/name for git, with this user's credentials. */
  remote(repository: string): string {
    const url = new URL(this.session.base);
    url.username = encodeURIComponent(this.name);
    url.password = encodeURIComponent(this.password);
    return `${url.href.replace(/\/$/, '')}/${repository}.git`;
  }

  git(args: readonly string[], cwd: string, { date }: { date?: string | undefined } = {}): Promise<GitResult> {
    return runGit(args, cwd, this.session.scratch, date);
  }

  /**
   * Clones owner/name into a scratch folder; resolves to its path.
   * @throws ScenarioAborted when git fails
   */
  async clone(repository: string): Promise<string> {
    const folder = await mkdtemp(join(this.session.scratch, 'clone-'));
    const { code, stderr } = await this.git(['clone', '-q', this.remote(repository), folder], this.session.scratch);
    if (code !== 0) throw new ScenarioAborted(`git clone ${repository} failed: ${stderr.slice(0, 300)}`);
    return folder;
  }

  /** Commits files on a branch and pushes it over HTTP; `sha` is the commit. */
  async push(repository: string, options: PushOptions = {}): Promise<Omit<GitResult, 'stdout'> & { sha: string }> {
    const { branch = 'main', from, files = {}, message = 'Change', tag, date, force = false } = options;
    const folder = await this.clone(repository);
    const git = (...args: string[]) => this.git(args, folder, { date });
    const exists = async (revision: string) => (await git('rev-parse', '--verify', '-q', revision)).code === 0;
    const wasEmpty = !(await exists('HEAD'));
    if (await exists(`origin/${branch}`)) await git('checkout', '-q', '-B', branch, `origin/${branch}`);
    else if (from) await git('checkout', '-q', '-b', branch, `origin/${from}`);
    else await git('checkout', '-q', '-B', branch);
    await writeFiles(folder, files);
    await git('add', '-A');
    if (Object.keys(files).length > 0) await git('commit', '-q', '-m', message);
    if (tag) await git('tag', '-a', tag, '-m', `Tag ${tag}`);
    const sha = (await git('rev-parse', 'HEAD')).stdout.trim();
    const refs = [branch, ...(tag ? [`refs/tags/${tag}`] : [])];
    const { code, stderr, told } = await git('push', '-q', ...(force ? ['-f'] : []), 'origin', ...refs);
    // A server may notice only a moment later that the repository is no longer empty.
    if (wasEmpty && code === 0) {
      await this.session.eventually(
        () => this.send('GET', `/repos/${repository}`),
        ({ json }) => json?.empty !== true,
      );
    }
    return { code, stderr, told, sha };
  }
}

function requestBody({ json, raw, type, form }: RequestOptions, headers: Record<string, string>): RequestInit['body'] | undefined {
  if (json !== undefined) {
    headers['content-type'] ??= 'application/json';
    return JSON.stringify(json);
  }
  if (raw !== undefined) {
    headers['content-type'] = type ?? 'text/plain';
    return raw;
  }
  if (!form) return undefined;
  const body = new FormData();
  for (const [field, part] of Object.entries(form)) {
    if (typeof part === 'string') body.set(field, part);
    else body.set(field, new Blob([part.content], { type: part.type ?? 'application/octet-stream' }), part.filename);
  }
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeFiles(folder: string, files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    if (text === null) await rm(file, { force: true });
    else await writeFile(file, text);
  }
}
