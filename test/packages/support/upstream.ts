import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterwards } from '../../support/afterwards.ts';
import type { Client } from '../../support/client.ts';

/** How the stub responds to a path. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A registry on another server, of which a test says what it has. */
export interface StubUpstream {
  /** At `localhost`, which settings may allow while they refuse the address. */
  readonly url: string;
  readonly port: number;
  /** Paths that were asked for, in their order. */
  readonly requests: string[];
  /** The header `authorization` of the last request. */
  authorization: string | undefined;
  /** Responds to a path with a content, or in some way; to others with 404. */
  has(path: string, content: string | Buffer | Respond, headers?: Record<string, string>): void;
  hasNot(path: string): void;
}

/** Starts a stub; it is stopped after the tests of the file. */
export async function stubUpstream(): Promise<StubUpstream> {
  const paths = new Map<string, Respond>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    stub.requests.push(path);
    stub.authorization = request.headers.authorization;
    const respond = paths.get(path);
    if (respond) respond(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  afterwards(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const stub: StubUpstream = {
    url: `http://localhost:${port}`,
    port,
    requests: [],
    authorization: undefined,
    has: (path, content, headers = {}) => {
      const respond: Respond = (request, response) => {
        const etag = headers.etag ?? '';
        if (etag !== '' && request.headers['if-none-match'] === etag) response.writeHead(304).end();
        else response.writeHead(200, { 'content-length': Buffer.byteLength(content as string), ...headers }).end(content);
      };
      paths.set(path, typeof content === 'function' ? content : respond);
    },
    hasNot: (path) => paths.delete(path),
  };
  return stub;
}

/** A version of an npm package as {@link packument} describes it. */
export interface StubVersion {
  readonly data: Buffer;
  readonly integrity?: string;
  readonly tarball?: string;
}

/** The document of an npm package whose tarballs are at the stub. */
export function packument(url: string, name: string, versions: Readonly<Record<string, StubVersion>>): string {
  const entries = Object.entries(versions).map(([version, { data, ...given }]) => {
    const integrity = given.integrity ?? `sha512-${createHash('sha512').update(data).digest('base64')}`;
    const tarball = given.tarball ?? `${url}/${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
    return [version, { name, version, dist: { tarball, integrity } }];
  });
  return JSON.stringify({ name, 'dist-tags': { latest: Object.keys(versions).at(-1) }, versions: Object.fromEntries(entries) });
}

/** Makes the stub have an npm package. */
export function hasPackage(stub: StubUpstream, name: string, versions: Readonly<Record<string, StubVersion>>, headers = {}): void {
  stub.has(`/${name.replace('/', '%2F')}`, packument(stub.url, name, versions), headers);
  for (const [version, { data }] of Object.entries(versions)) {
    stub.has(`/${name}/-/${name.slice(name.indexOf('/') + 1)}-${version}.tgz`, data);
  }
}

/** Adds an upstream; returns what the API says of it. */
export async function addUpstream(admin: Client, owner: string, upstream: Record<string, unknown>): Promise<{ id: number }> {
  return await admin.must('POST', `/packages/${owner}/upstreams`, { allow: ['**'], ...upstream });
}
