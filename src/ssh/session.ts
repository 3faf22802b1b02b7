import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { BusyError } from '../concurrency/semaphore.ts';
import type { Context, Services } from '../context.ts';
import { InvalidPushError } from '../git/protocol/push-commands.ts';
import { type GitProgram, uploadPackProgram } from '../git/protocol/upload-pack.ts';
import { HttpError } from '../http/errors.ts';
import type { SshCommand } from '../ssh-command.ts';
import { traced } from '../tracing/operations.ts';
import { converseArchive, converseFetch, conversePush, withFetchPermit } from '../transport/converse.ts';
import { findGitTarget, GitMissing, GitMoved, type GitTarget, parseGitUrl } from '../transport/git-target.ts';
import { openGitTarget } from '../transport/open-target.ts';
import { GitRefusal } from '../transport/refusal.ts';
import { findCaller, type SshCaller } from './caller.ts';
import { parseCommand, RefusedCommandError, type SessionCommand } from './command.ts';
import { formatIdentity, type Identity } from './identity.ts';
import { watchIdle } from './idle.ts';
import { SSH_INFO } from './info.ts';
import { watchAccess } from './watch-access.ts';

/** The request of a client on a session. */
export interface SessionRequest {
  readonly identity: Identity;
  /** Empty for a shell. */
  readonly command: string;
  /** The client's `GIT_PROTOCOL`, the only variable that is taken; empty for none. */
  readonly protocol: string;
  /** The client's IP address. */
  readonly address: string;
}

/** The streams of a session. */
export interface SessionStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Writes to the client's standard error. */
  readonly complain: (text: string) => void;
  /** A number that changes when bytes are received or sent. */
  readonly progress: () => number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Lets the process that has the client's streams become git, and returns the exit code when git has ended. */
  readonly become?: (program: GitProgram, limits: GitLimits) => Promise<number>;
}

/** When a git that {@link SessionStreams.become} starts is stopped. */
export interface GitLimits {
  readonly signal: AbortSignal;
  /** Milliseconds that it may wait for the client. */
  readonly idleTimeoutMs: number;
  readonly timeoutMs: number;
}

/** The commands beside git's own, by name. */
export type SshCommands = ReadonlyMap<string, SshCommand>;

/** The services of git, and the access that each needs. */
const SERVICES: Readonly<Record<string, 'read' | 'write'>> = {
  'git-upload-pack': 'read',
  'git-upload-archive': 'read',
  'git-receive-pack': 'write',
};
const MAX_REDIRECTS = 3;
/** Length limit of a command in the log in characters. */
const MAX_LOGGED = 200;

/** Facts about a session that become known while it runs. */
interface About {
  readonly requestId: string;
  user: { id: number; name: string } | null;
}

type ServiceCommand = Extract<SessionCommand, { kind: 'service' }>;

/**
 * Authorizes and runs a session: the one place for this, whichever server has accepted the connection.
 * @returns the exit code
 */
export async function serveSession(
  services: Services,
  commands: SshCommands,
  request: SessionRequest,
  streams: SessionStreams,
): Promise<number> {
  const { log, settings, accessLog } = services;
  const about: About = { requestId: randomUUID(), user: null };
  const began = performance.now();
  const code = await traced(
    'ssh session',
    { 'copse.request.id': about.requestId },
    () => runSession(services, commands, request, streams, about),
    'server',
  );
  const { identity, command, address } = request;
  if (settings.log.requests)
    log.info({ address, by: formatIdentity(identity), command: command.slice(0, MAX_LOGGED), code, requestId: about.requestId }, 'ssh');
  const milliseconds = performance.now() - began;
  const line = { method: 'SSH', route: '', path: command.slice(0, MAX_LOGGED), protocol: 'SSH/2.0', status: code, bytes: 0, userAgent: '' };
  accessLog?.write({ ...about, ...line, address, milliseconds });
  return code;
}

async function runSession(
  services: Services,
  commands: SshCommands,
  request: SessionRequest,
  streams: SessionStreams,
  about: About,
): Promise<number> {
  try {
    const caller = await findCaller(services, request.identity, request.address, about.requestId);
    about.user = caller.context.actor && { id: caller.context.actor.id, name: caller.context.actor.name };
    const command = parseCommand(request.command);
    if (command.kind === 'greeting') {
      streams.complain(`Hi there${caller.greeting}, but Copse does not provide shell access.\n`);
      return 0;
    }
    if (command.kind === 'info') {
      streams.output.write(SSH_INFO);
      return 0;
    }
    return await serveCommand(services, caller, commands, command, { request, streams });
  } catch (error) {
    const message = messageOf(error);
    // Errors after the client has disconnected are expected.
    if (message === undefined && !streams.signal.aborted)
      services.log.error({ err: error, requestId: about.requestId }, 'an SSH session failed');
    if (!streams.signal.aborted) streams.complain(`error:\nerror: ${message ?? 'Internal Server Error'}\nerror:\n`);
    return 1;
  }
}

/** The message for the client; undefined for an internal error. */
function messageOf(error: unknown): string | undefined {
  const isPublic = [RefusedCommandError, GitRefusal, HttpError, BusyError, InvalidPushError].some((type) => error instanceof type);
  return isPublic ? (error as Error).message.trim() || 'Forbidden' : undefined;
}

async function serveCommand(
  services: Services,
  caller: SshCaller,
  commands: SshCommands,
  command: ServiceCommand,
  { request, streams }: { request: SessionRequest; streams: SessionStreams },
): Promise<number> {
  const { name, operation } = command;
  const other = commands.get(name);
  const level = other ? levelOf(other, operation) : Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  if (level === undefined) throw new RefusedCommandError('Unknown git command');
  // Git checks writes by ref, since a push can be for a pull request. Other commands do not check them by themselves.
  const allow = async (caller: SshCaller, open: typeof openGitTarget) => {
    const target = await findTarget(caller, command, level, open);
    if (other && level === 'write' && !mayWrite(target)) throw new RefusedCommandError('User permission denied for writing.');
    return target;
  };
  const target = await allow(caller, openGitTarget);
  const mayStill = () =>
    isAllowed(async () => {
      const current = await findCaller(services, request.identity, request.address);
      return (await allow(current, findGitTarget)).repository.id === target.repository.id;
    });
  if (!other) return await serveGit(caller.context, target, name, { request, streams, mayStill });
  const { repository, access, isWiki, deployKey } = target;
  const { input, output, complain, signal } = streams;
  const { context, keyId } = caller;
  const caused = { ...(deployKey && { deployKey }), ...(keyId !== undefined && { keyId }) };
  return await other.run(context, { repository, access, isWiki, operation, ...caused, input, output, complain, signal, mayStill });
}

function mayWrite({ deployKey, access, isWiki }: GitTarget): boolean {
  return deployKey ? deployKey.canWrite : access.canWrite(isWiki ? 'wiki' : 'code');
}

/** What `decide` returns; false if it refuses. */
async function isAllowed(decide: () => Promise<boolean>): Promise<boolean> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof GitMissing || messageOf(error) !== undefined) return false;
    throw error;
  }
}

/** Runs a service of git. Stops it when the client is idle for too long, and a fetch when the caller has lost access. */
async function serveGit(
  context: Context,
  target: GitTarget,
  name: string,
  { request, streams, mayStill }: { request: SessionRequest; streams: SessionStreams; mayStill: () => Promise<boolean> },
): Promise<number> {
  const { idleTimeout } = context.settings.server;
  const ended = new AbortController();
  const giveUp = () => ended.abort();
  const signal = AbortSignal.any([streams.signal, ended.signal]);
  const watches: (() => void)[] = [];
  const admitted = () => void watches.push(watchIdle(streams.progress, idleTimeout, giveUp));
  // git decides about a push when the refs are known; a client can go on fetching what is pushed meanwhile.
  if (name !== 'git-receive-pack') watches.push(watchAccess(mayStill, idleTimeout, giveUp));
  try {
    const { become } = streams;
    if (name === 'git-upload-pack' && become) {
      const program = uploadPackProgram(target.folder, request.protocol);
      const limits = { signal, idleTimeoutMs: idleTimeout, timeoutMs: context.settings.git.transferTimeout };
      const run = () => become(program, limits);
      return await withFetchPermit(context, { signal, admitted: () => {} }, run);
    }
    const converse = name === 'git-upload-pack' ? converseFetch : name === 'git-receive-pack' ? conversePush : converseArchive;
    const { input, output } = streams;
    ended.signal.addEventListener('abort', () => {
      input.destroy();
      output.destroy();
    });
    return await converse(context, target, { input, output, protocol: request.protocol, signal, admitted, mayStill });
  } finally {
    for (const unwatch of watches) unwatch();
  }
}

function levelOf({ operations }: SshCommand, operation: string): 'read' | 'write' | undefined {
  return Object.hasOwn(operations, operation) ? operations[operation] : undefined;
}

/** Follows former names, since git over SSH has no redirects. Hidden repositories are not found, with the same message. */
async function findTarget(
  { context, deployKeyOf }: SshCaller,
  { owner, repository }: ServiceCommand,
  service: 'read' | 'write',
  open: typeof openGitTarget,
): Promise<GitTarget> {
  let address = parseGitUrl(owner, repository);
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
    try {
      return await open(context, address, service, deployKeyOf);
    } catch (error) {
      if (error instanceof GitRefusal && isNotFound(error)) break;
      if (!(error instanceof GitMoved)) throw error;
      const [movedOwner = '', movedName] = error.to.split('/');
      address = movedName === undefined ? { ...address, owner: movedOwner } : parseGitUrl(movedOwner, movedName);
    }
  }
  throw new RefusedCommandError(`Cannot find repository: ${owner}/${repository.replace(/\.git$/, '')}`);
}

/** Over HTTP, 401 asks callers who are not signed in as a user to do so; over SSH it means the same as 404. */
function isNotFound({ status }: GitRefusal): boolean {
  return status === 404 || status === 401;
}
