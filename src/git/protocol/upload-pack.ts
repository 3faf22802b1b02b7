import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { GitPool } from '../objects/objects.ts';
import { gitEnvironment, runGit } from '../processes/process.ts';
import {
  bytesOf,
  feed,
  isSafeProtocol,
  type ServiceEnd,
  type ServiceProcess,
  startService,
  startServiceInto,
} from '../processes/service-process.ts';
import type { GitRepository } from '../repository.ts';
import { advertiseReceive } from './advertise-receive.ts';
import { FLUSH_PACKET, packet, readPacket } from './pkt-line.ts';
import { RECEIVE_CONFIG } from './receive-config.ts';

/** The git services for clients. */
export type TransportService = 'upload-pack' | 'receive-pack';

/** The response of a git service to a client. */
export interface ServiceResponse<End> {
  /** git's output for the client. Destroying it means that the client has disconnected. */
  readonly output: Readable;
  /** Settles when the process has ended. */
  readonly ended: Promise<End>;
}

/** Options of a fetch. */
export interface UploadPackOptions {
  /** The part of the client's data that was already read. */
  head?: Buffer;
  /** The client's data, or the rest of it; decompressed. Undefined when `head` is all. */
  input: Readable | undefined;
  /** The client's `Git-Protocol`. Invalid parts are left out. */
  protocol?: string;
  /** One request and its response (HTTP), not a conversation (SSH). */
  stateless: boolean;
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60 * 60 * 1000;
const ADVERTISE_TIMEOUT_MS = 60_000;
/** Before version 2 all refs are sent at once: enough for a million. */
const ADVERTISE_MAX_OUTPUT = 128 * 1024 * 1024;

/** Partial clones, and fetching any commit by its id, as clients of hosting services expect. */
const UPLOAD_CONFIG = ['-c', 'uploadpack.allowFilter=true', '-c', 'uploadpack.allowAnySHA1InWant=true'];

/** By object format: in version 2, the advertisement depends only on the git program. */
const versionTwo = new Map<string, Promise<Buffer>>();

/**
 * The response to `GET info/refs?service=…`: the capabilities of the service and, before version 2, all refs.
 * @param pool reads the refs for a push, if git need not run
 */
export async function advertiseRefs(repository: GitRepository, service: TransportService, protocol = '', pool?: GitPool): Promise<Buffer> {
  if (service === 'receive-pack') {
    const ask = () => outputOfGit(repository, service, RECEIVE_CONFIG, protocol);
    return pool && !protocol.includes('version=1') ? await advertiseReceive(repository, pool, ask) : await ask();
  }
  if (!isVersionTwo(protocol)) return await outputOfGit(repository, service, UPLOAD_CONFIG, protocol);
  let cached = versionTwo.get(repository.objectFormat);
  if (!cached) {
    cached = outputOfGit(repository, service, UPLOAD_CONFIG, 'version=2');
    versionTwo.set(repository.objectFormat, cached);
    cached.catch(() => versionTwo.delete(repository.objectFormat));
  }
  return await cached;
}

/** git's first message to a client that pushes over its own connection: as over HTTP, without the name of the service. */
export async function advertisePush(repository: GitRepository, protocol: string, pool: GitPool): Promise<Buffer> {
  const advertisement = await advertiseRefs(repository, 'receive-pack', protocol, pool);
  const name = readPacket(advertisement, 0);
  return advertisement.subarray((name?.end ?? 0) + FLUSH_PACKET.length);
}

/** Whether the client's `Git-Protocol` requests version 2. */
export function isVersionTwo(protocol: string): boolean {
  return isSafeProtocol(protocol) && protocol.split(':').includes('version=2');
}

/** A program that another process starts, with its whole environment. */
export interface GitProgram {
  readonly args: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The git program for a fetch or clone, where another process connects it with the client. */
export function uploadPackProgram(repository: GitRepository, protocol: string): GitProgram {
  const env = gitEnvironment(isSafeProtocol(protocol) ? { GIT_PROTOCOL: protocol } : {});
  return { args: ['git', ...UPLOAD_CONFIG, 'upload-pack', '.'], folder: repository.path, env };
}

/** Serves a fetch or clone. */
export function uploadPack(repository: GitRepository, options: UploadPackOptions): ServiceResponse<ServiceEnd> {
  return serve(repository, [...UPLOAD_CONFIG, 'upload-pack', ...(options.stateless ? ['--stateless-rpc'] : []), '.'], options);
}

/**
 * Serves the last request of a fetch, for which {@link requestsPack} is true, by letting git write the response into the connection. The
 * caller watches the end of the connection and of the process.
 * @param request the whole request of the client
 * @param options.idleTimeoutMs milliseconds that git may wait for the client
 */
export function uploadPackInto(
  connection: Socket,
  repository: GitRepository,
  request: Buffer,
  { protocol, timeoutMs = DEFAULT_TIMEOUT_MS, ...rest }: Pick<UploadPackOptions, 'protocol' | 'timeoutMs'> & { idleTimeoutMs?: number },
): Pick<ServiceProcess, 'ended' | 'stop'> {
  const args = [...UPLOAD_CONFIG, 'upload-pack', '--stateless-rpc', '.'];
  const { stdin, ended, stop } = startServiceInto(connection, repository, args, {
    ...(protocol === undefined ? {} : { protocol }),
    ...rest,
    timeoutMs,
  });
  stdin.end(request);
  return { ended, stop };
}

/** Serves `git archive --remote`. */
export function uploadArchive(
  repository: GitRepository,
  options: Omit<UploadPackOptions, 'stateless' | 'protocol'>,
): ServiceResponse<ServiceEnd> {
  const { output, ended } = serve(repository, ['upload-archive', '.'], options);
  const shown = Readable.from(withoutFolder(output), { objectMode: false });
  // Also when nobody has read any of it.
  shown.on('close', () => output.destroy());
  return { output: shown, ended };
}

/** The band of git's messages for the user (`sideband` in gitprotocol-pack). */
const MESSAGES = 2;

/** git's packets, without the folder of the repository, which a message about a path like `../x` names. */
async function* withoutFolder(output: Readable): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of output) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let next = readPacket(rest, start); next; next = readPacket(rest, start)) {
      const bytes = rest.subarray(start, next.end);
      // git shortens long messages, so the folder may not be there as a whole.
      const told = next.payload?.[0] === MESSAGES ? next.payload.toString().replace(/( is outside repository) at .*/s, '$1\n') : undefined;
      yield told === undefined ? bytes : packet(told);
      start = next.end;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) yield rest;
}

function serve(
  repository: GitRepository,
  args: readonly string[],
  options: Omit<UploadPackOptions, 'stateless'>,
): ServiceResponse<ServiceEnd> {
  const { head = Buffer.alloc(0), input = Readable.from([]), protocol, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const process = startService(repository, args, { ...(protocol === undefined ? {} : { protocol }), timeoutMs });
  process.stdout.on('close', () => {
    if (!process.stdout.readableEnded) process.stop('the client is gone');
  });
  void feed(process, head, bytesOf(input));
  return { output: process.stdout, ended: process.ended };
}

async function outputOfGit(
  repository: GitRepository,
  service: TransportService,
  config: readonly string[],
  protocol: string,
): Promise<Buffer> {
  const { stdout } = await runGit([...config, service, '--stateless-rpc', '--advertise-refs', '.'], {
    cwd: repository.path,
    timeoutMs: ADVERTISE_TIMEOUT_MS,
    maxOutput: ADVERTISE_MAX_OUTPUT,
    env: isSafeProtocol(protocol) ? { GIT_PROTOCOL: protocol } : {},
  });
  return Buffer.concat([packet(`# service=git-${service}\n`), FLUSH_PACKET, stdout]);
}
