import { randomBytes } from 'node:crypto';

/** Bytes of a response that are kept. */
const KEPT = 4 * 1024 * 1024;

/** One server, as its clients call it. */
export class Server {
  readonly pid: string;
  readonly url: string;
  readonly #owner: string;
  authorization: string;
  /** The token that clients of containers exchange their credentials for. */
  bearer = '';

  /** @param account its name and password, with a colon between them */
  constructor(pid: string, url: string, account: string) {
    this.pid = pid;
    this.url = url;
    this.#owner = account.slice(0, account.indexOf(':'));
    this.authorization = `Basic ${Buffer.from(account).toString('base64')}`;
  }

  async send(method: string, path: string, { body, headers }: { body?: RequestInit['body']; headers?: Record<string, string> } = {}) {
    const init = { method, headers: { authorization: this.authorization, ...headers }, redirect: 'follow' as const };
    const response = await fetch(new URL(path, this.url), { ...init, ...(body !== undefined && { body }) });
    const bytes = method === 'GET' && response.ok ? await drained(response) : Buffer.from(await response.arrayBuffer());
    if (!response.ok && !(response.status === 404 && method === 'HEAD')) throw new Error(`${method} ${path}: ${response.status} ${bytes}`);
    return { response, bytes };
  }

  packages(method: string, path: string, body?: RequestInit['body'], headers: Record<string, string> = {}) {
    return this.send(method, `api/packages/${this.#owner}/${path}`, { ...(body !== undefined && { body }), headers });
  }

  images(method: string, path: string, body?: RequestInit['body'], headers: Record<string, string> = {}) {
    return this.send(method, path, {
      ...(body !== undefined && { body }),
      headers: { authorization: `Bearer ${this.bearer}`, ...headers },
    });
  }

  /** Signs in with a token in place of the password, as package managers do: a slow hash would be most of what is measured. */
  async signIn(): Promise<void> {
    const body = JSON.stringify({ name: `bench ${randomBytes(4).toString('hex')}`, scopes: ['write:package'] });
    const { bytes } = await this.send('POST', `api/v1/users/${this.#owner}/tokens`, {
      body,
      headers: { 'content-type': 'application/json' },
    });
    this.authorization = `Basic ${Buffer.from(`${this.#owner}:${JSON.parse(bytes.toString()).sha1}`).toString('base64')}`;
    this.bearer = JSON.parse((await this.send('GET', 'v2/token')).bytes.toString()).token;
  }
}

/** The body, of which only a short one is kept. */
async function drained(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size < KEPT) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What a client does, so many times for each round; each time with a number of its own. */
export interface Operation {
  readonly name: string;
  readonly count: number;
  run(server: Server, number: number): Promise<unknown>;
}
