import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after } from 'node:test';
import { createGunzip } from 'node:zlib';
import { type HookResponse, writeHooks } from '../../src/git/protocol/hooks.ts';
import { readPacket } from '../../src/git/protocol/pkt-line.ts';
import { InvalidPushError } from '../../src/git/protocol/push-commands.ts';
import { type FinishedPush, type PendingPush, type ReceivePackOptions, receivePack } from '../../src/git/protocol/receive-pack.ts';
import { advertiseRefs, type TransportService, uploadPack } from '../../src/git/protocol/upload-pack.ts';
import type { GitRepository } from '../../src/git/repository.ts';
import { temporaryFolder } from './writing.ts';

/** What a test server does with pushes; tests change it as they go. */
export interface PushRules {
  preReceive: (push: PendingPush) => Promise<HookResponse>;
  postReceive: (push: FinishedPush) => Promise<readonly string[]>;
  maxPackBytes?: number;
  timeoutMs?: number;
  customHooks?: boolean;
  procReceive?: NonNullable<ReceivePackOptions['procReceive']>;
  /** What `ended` of the last push rejected with. */
  error?: unknown;
}

/** Rules that let everything pass. */
export function open(): PushRules {
  return { preReceive: async () => ({ ok: true, lines: [] }), postReceive: async () => [] };
}

const servers: { close(): unknown; closeAllConnections?(): void }[] = [];

after(() => {
  for (const server of servers) {
    server.closeAllConnections?.();
    server.close();
  }
});

/** Serves one repository over HTTP and over the git protocol, which stands for SSH: a conversation. */
export async function serveRepository(repository: GitRepository, rules: PushRules): Promise<{ http: string; git: string; port: number }> {
  const hooks = join(temporaryFolder(), 'hooks');
  await writeHooks(hooks);
  const receive = async (input: Readable, more: Pick<ReceivePackOptions, 'stateless' | 'protocol'>) => {
    const answer = await receivePack(repository, {
      input,
      hooks,
      preReceive: (push) => rules.preReceive(push),
      postReceive: (push) => rules.postReceive(push),
      customHooks: rules.customHooks ?? false,
      ...(rules.procReceive ? { procReceive: rules.procReceive } : {}),
      hookEnvironment: { PUSHER: 'alice' },
      ...(rules.maxPackBytes === undefined ? {} : { maxPackBytes: rules.maxPackBytes }),
      ...(rules.timeoutMs === undefined ? {} : { timeoutMs: rules.timeoutMs }),
      ...more,
    });
    answer.ended.catch((error: unknown) => {
      rules.error = error;
    });
    return answer;
  };

  const http = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const protocol = String(request.headers['git-protocol'] ?? '');
    if (request.method === 'GET') {
      const service = (searchParams.get('service') ?? '').replace('git-', '') as TransportService;
      response.setHeader('content-type', `application/x-git-${service}-advertisement`);
      response.end(await advertiseRefs(repository, service, protocol));
      return;
    }
    const service = pathname.split('/git-').at(-1);
    const input = bodyOf(request);
    try {
      const answer =
        service === 'upload-pack'
          ? uploadPack(repository, { input, protocol, stateless: true })
          : await receive(input, { stateless: true, protocol });
      response.setHeader('content-type', `application/x-git-${service}-result`);
      response.on('close', () => answer.output.destroy());
      answer.output.pipe(response);
    } catch (error) {
      if (!(error instanceof InvalidPushError)) throw error;
      response.writeHead(400).end(error.message);
    }
  });
  const tcp = createTcpServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    let bytes: Buffer = Buffer.alloc(0);
    // The daemon's first packet names the service and the repository (https://git-scm.com/docs/gitprotocol-pack).
    const begin = async (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const first = readPacket(bytes, 0);
      if (!first) return;
      socket.off('data', begin).pause();
      if (bytes.length > first.end) socket.unshift(bytes.subarray(first.end));
      const [request = '', , ...parameters] = first.payload?.toString().split('\0') ?? [];
      const protocol = parameters.find((text) => text.startsWith('version=')) ?? '';
      const stateless = false;
      const answer = request.startsWith('git-upload-pack')
        ? uploadPack(repository, { input: socket, protocol, stateless })
        : await receive(socket, { protocol, stateless });
      answer.output.pipe(socket);
    };
    socket.on('data', begin);
  });
  const ports = await Promise.all(
    [http, tcp].map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    }),
  );
  servers.push(http, tcp);
  return { http: `http://127.0.0.1:${ports[0]}/repository.git`, git: `git://127.0.0.1:${ports[1]}/repository.git`, port: ports[0] ?? 0 };
}

function bodyOf(request: IncomingMessage): Readable {
  if (request.headers['content-encoding'] !== 'gzip') return request;
  const gunzip = createGunzip();
  request.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  return gunzip;
}
