import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { http } from '../../node-http.ts';
import { textAt } from '../plain.ts';
import { messageOf } from '../problem.ts';
import { type CacheEntry, CacheError, type CacheKey, CacheStore } from './store.ts';

/** The permissions of a job for caches. */
export interface CacheGrant {
  /** Where it keeps them: its repository and branch. */
  readonly scope: string;
  /** Where it finds them, in this order. */
  readonly readable: readonly string[];
}

interface OpenCache extends CacheKey {
  /** Of the job that keeps it. */
  readonly secret: string;
  readonly path: string;
  readonly scope: string;
}

const MAX_BODY = 64 * 1024;
const MAX_KEY = 512;
const MAX_KEYS = 20;
/** Caches that one runner takes at once. */
const MAX_OPEN = 200;
const API = '/_apis/artifactcache/';

/**
 * The cache service of version 1 for `actions/cache`, on the loopback interface. Each job has a URL of its own with a secret in it, which
 * decides what it sees: other repositories are not there, and what a branch keeps is seen by itself and by those made from it.
 */
export class CacheServer {
  readonly #store: CacheStore;
  readonly #server: Server;
  readonly #grants = new Map<string, CacheGrant>();
  readonly #open = new Map<number, OpenCache>();
  readonly #found = new Map<string, CacheEntry>();
  #lastId = 0;

  private constructor(folder: string) {
    this.#store = new CacheStore(folder);
    this.#server = http.createServer((request, response) => void this.#respond(request, response));
  }

  /** Starts it on a free port. */
  static async start(folder: string): Promise<CacheServer> {
    const caches = new CacheServer(folder);
    await caches.#store.clean();
    await new Promise<void>((resolve, reject) => {
      caches.#server.once('error', reject);
      caches.#server.listen(0, '127.0.0.1', resolve);
    });
    return caches;
  }

  /** Registers a job; returns its URL, and a function that removes it. */
  admit(grant: CacheGrant): { url: string; end: () => Promise<void> } {
    const secret = randomBytes(24).toString('hex');
    this.#grants.set(secret, grant);
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/${secret}/`, end: () => this.#dismiss(secret) };
  }

  /** Removes a job, with its unfinished uploads. */
  async #dismiss(secret: string): Promise<void> {
    this.#grants.delete(secret);
    for (const name of this.#found.keys()) if (name.startsWith(`${secret}/`)) this.#found.delete(name);
    for (const [id, cache] of this.#open) {
      if (cache.secret !== secret) continue;
      this.#open.delete(id);
      await this.#store.discard(cache.path);
    }
  }

  /** Stops it. */
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://cache');
      const [, secret = '', rest = ''] = /^\/([0-9a-f]{48})(\/.*)$/.exec(url.pathname) ?? [];
      const grant = this.#grants.get(secret);
      if (!grant || !rest.startsWith(API)) throw new CacheError(404, 'there is no such job');
      await this.#route({ request, response, grant, secret, query: url.searchParams, path: rest.slice(API.length) });
    } catch (error) {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      send(response, error instanceof CacheError ? error.status : 500, { message: messageOf(error) });
      request.resume();
    }
  }

  async #route(call: Call): Promise<void> {
    const { path, request, response } = call;
    const [, id] = /^caches\/(\d{1,15})$/.exec(path) ?? [];
    if (request.method === 'GET' && path === 'cache') await this.#find(call);
    else if (request.method === 'POST' && path === 'caches') await this.#begin(call);
    else if (request.method === 'PATCH' && id) await this.#write(call, Number(id));
    else if (request.method === 'POST' && id) await this.#commit(call, Number(id));
    else if (request.method === 'GET' && path.startsWith('artifacts/')) {
      const entry = this.#found.get(`${call.secret}/${path.slice('artifacts/'.length)}`);
      if (!entry) throw new CacheError(404, 'there is no such cache');
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': entry.size });
      await pipeline(this.#store.read(entry), response);
    } else throw new CacheError(404, 'there is no such call');
  }

  async #find({ grant, query, response, secret, request }: Call): Promise<void> {
    const keys = (query.get('keys') ?? '').split(',').map((key) => key.trim());
    if (keys.length > MAX_KEYS) throw new CacheError(400, `keys: there are at most ${MAX_KEYS}`);
    const entry = await this.#store.find(grant.readable, keys, query.get('version') ?? '');
    if (!entry) {
      response.writeHead(204).end();
      return;
    }
    const name = randomBytes(16).toString('hex');
    this.#found.set(`${secret}/${name}`, entry);
    const archiveLocation = `http://${request.headers.host}/${secret}${API}artifacts/${name}`;
    const creationTime = new Date(entry.createdAt).toISOString();
    send(response, 200, { cacheKey: entry.key, cacheVersion: entry.version, scope: grant.scope, creationTime, archiveLocation });
  }

  async #begin({ request, response, grant, secret }: Call): Promise<void> {
    const body = await jsonBody(request);
    const cache = { key: textAt(body, 'key'), version: textAt(body, 'version') };
    if (cache.key === '' || cache.key.length > MAX_KEY || cache.key.includes(','))
      throw new CacheError(400, 'key: it is empty, too long, or has a comma');
    if (await this.#store.has(grant.scope, cache)) throw new CacheError(409, 'the cache is there already');
    if (this.#open.size >= MAX_OPEN) throw new CacheError(429, 'too many caches are being saved');
    const id = ++this.#lastId;
    this.#open.set(id, { ...cache, secret, scope: grant.scope, path: await this.#store.begin() });
    send(response, 201, { cacheId: id });
  }

  #opened(id: number, secret: string): OpenCache {
    const cache = this.#open.get(id);
    if (cache?.secret !== secret) throw new CacheError(404, 'there is no such cache');
    return cache;
  }

  async #write({ request, response, secret }: Call, id: number): Promise<void> {
    const [, start] = /^bytes (\d{1,15})-\d{1,15}\/\*$/.exec(request.headers['content-range'] ?? '') ?? [];
    if (start === undefined) throw new CacheError(400, 'content-range is missing');
    await this.#store.write(this.#opened(id, secret).path, Number(start), request);
    response.writeHead(204).end();
  }

  async #commit({ request, response, secret }: Call, id: number): Promise<void> {
    const cache = this.#opened(id, secret);
    const size = Number(textAt(await jsonBody(request), 'size'));
    this.#open.delete(id);
    try {
      await this.#store.commit(cache.path, cache.scope, cache, size);
    } catch (error) {
      await this.#store.discard(cache.path);
      throw error;
    }
    response.writeHead(204).end();
  }
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly grant: CacheGrant;
  readonly secret: string;
  readonly query: URLSearchParams;
  readonly path: string;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > MAX_BODY) throw new CacheError(413, 'the request is too large');
    parts.push(part as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new CacheError(400, 'the request is not JSON');
  }
}
