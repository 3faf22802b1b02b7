import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createFixture, type FixtureCommit } from '../git/fixture.ts';
import { afterwards } from '../support/afterwards.ts';
import type { Json } from './snapshot.ts';

/** What the stub responds with: JSON, or whatever the function writes. */
export type StubResponse = Json | ((request: IncomingMessage, response: ServerResponse) => unknown);

/** A server that has one Git repository and the responses that a test gives it. */
export interface Stub {
  /** Without a slash at its end. */
  readonly url: string;
  /** The responses by path and query, or by path alone; a test may change them. */
  readonly responses: Map<string, StubResponse>;
  /** The requests for responses: path, query and credentials. */
  readonly requests: { path: string; authorization: string | undefined }[];
  /** The id of the commit with this label. */
  id(label: string): string;
}

/**
 * Starts a stub.
 * @param git the path of the repository, which is served as files
 */
export async function sourceStub(
  git: string,
  commits: readonly FixtureCommit[],
  refs: Readonly<Record<string, string>> = {},
): Promise<Stub> {
  const fixture = await createFixture(commits);
  for (const [name, label] of Object.entries(refs)) await fixture.git(['update-ref', name, fixture.id(label)]);
  await fixture.git(['update-server-info']);
  const responses = new Map<string, StubResponse>();
  const requests: Stub['requests'] = [];
  const server = createServer(async (request, response) => {
    const { url = '' } = request;
    const [path = ''] = url.split('?');
    if (path.startsWith(`${git}/`) && !responses.has(path)) {
      const file = await readFile(join(fixture.repository.path, path.slice(git.length + 1))).catch(() => undefined);
      response.writeHead(file ? 200 : 404).end(file);
      return;
    }
    requests.push({ path: url, authorization: request.headers.authorization });
    const found = responses.get(url) ?? responses.get(path);
    if (typeof found === 'function') await found(request, response);
    else sendJson(response, found === undefined ? { message: 'not found' } : found, found === undefined ? 404 : 200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(async () => {
    server.closeAllConnections();
    server.close();
    await fixture[Symbol.asyncDispose]();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, responses, requests, id: fixture.id };
}

/** Sends JSON. */
export function sendJson(response: ServerResponse, json: Json, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
}

/** A response that waits until the test releases it. */
export function held(json: Json): { response: StubResponse; arrived: Promise<void>; release: () => void } {
  let arrive = () => {};
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const response: StubResponse = async (_request: IncomingMessage, response: ServerResponse) => {
    arrive();
    await released;
    sendJson(response, json);
  };
  return { response, arrived, release };
}
