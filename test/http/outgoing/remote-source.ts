import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { fetchRemote } from '../../../src/git/remotes/fetch-remote.ts';
import type { Remote } from '../../../src/git/remotes/remote.ts';
import type { GitRepository } from '../../../src/git/repository.ts';
import { withRemote } from '../../../src/http/outgoing/git-remote.ts';
import { parseRemoteUrl } from '../../../src/http/outgoing/remote-url.ts';
import { open, serveRepository } from '../../git/transport.ts';
import { client, emptyRepository, git, workTree } from '../../git/writing.ts';
import { testSettings } from '../../support/settings.ts';

/** Settings under which the loopback may be reached. */
export const settings = (migrations: object = {}) =>
  testSettings({ migrations: { ...testSettings().migrations, allowLocalNetworks: true, ...migrations } });
/** Runs a task with a repository on another server. */
export const withUrl = <T>(
  url: string,
  task: (remote: Remote) => Promise<T>,
  options: Parameters<typeof withRemote>[2] = {},
  given = settings(),
) => withRemote(given, parseRemoteUrl(url), options, task);
/** Fetches all that another server has. */
export const fetchInto = (target: GitRepository) => (remote: Remote) => fetchRemote(target, remote, { refs: 'all' });

/** A repository with a commit, a tag and other refs. */
export const source = await emptyRepository();
/** Where it is served. */
export const served = await serveRepository(source, open());
/** A clone of it. */
export const tree = workTree(served.http);
await client(tree, ['push', 'origin', 'main']);
/** Its commit. */
export const tip = git(tree, ['rev-parse', 'main']);
git(source, ['update-ref', 'refs/pull/1/head', tip]);
git(source, ['update-ref', 'refs/notes/commits', tip]);
git(source, ['tag', '-a', '-m', 'One', 'v1', tip]);

const servers: { close(): unknown; closeAllConnections(): void }[] = [];
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server before the one of the source. */
export async function serve(handle: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `http://${host}:${(server.address() as AddressInfo).port}/repository.git`;
}

/** Hands a request to the server of the source. */
export function passOn(incoming: IncomingMessage, response: Parameters<RequestListener>[1]): void {
  const { method, url, headers } = incoming;
  const sent = request({ host: '127.0.0.1', port: served.port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(sent);
}

/** Nothing that a broken transfer could leave. */
export function requireUntouched(repository: GitRepository): void {
  const names = readdirSync(repository.path, { recursive: true }).map(String);
  assert.deepEqual(
    names.filter((name) => /tmp_|\.pack$|^objects\/[0-9a-f]{2}\//.test(name)),
    [],
  );
}
