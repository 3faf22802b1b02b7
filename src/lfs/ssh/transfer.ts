import type { Readable, Writable } from 'node:stream';
import { BusyError } from '../../concurrency/semaphore.ts';
import { callerKey } from '../../context.ts';
import { LfsError } from '../errors.ts';
import { lfsKey } from '../objects/stored.ts';
import { isOid } from '../pointer.ts';
import type { LfsTarget } from '../target.ts';
import type { LfsOperation } from '../tokens.ts';
import { planBatch } from '../transfer/batch.ts';
import { findObject, takeObject } from '../transfer/objects.ts';
import { listLocksFor, lockFor, unlockFor } from './locks.ts';
import { type Message, MessageReader, type Response, writeLines, writeResponse } from './packets.ts';

/** The streams of a conversation. */
export interface TransferStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the caller still may do what the operation needs. */
  readonly mayStill: () => Promise<boolean>;
}

/** The state of one conversation. */
interface Conversation extends TransferStreams {
  readonly target: LfsTarget;
  readonly operation: LfsOperation;
  readonly reader: MessageReader;
}

type Command = (conversation: Conversation, message: Message, argument: string) => Promise<Response>;

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['version', async (_, __, version) => (version === '1' ? { status: 200 } : refusal(400, 'unknown version'))],
  ['batch', batch],
  ['get-object', getObject],
  ['put-object', putObject],
  ['verify-object', verifyObject],
  ['lock', async ({ target }, { args }) => await lockFor(target, args)],
  ['list-lock', listLock],
  // As version 3.3 of the client names it before a push.
  ['list-locks', listLock],
  ['unlock', async ({ target }, { args }, id) => await unlockFor(target, id, args)],
]);
/** Commands that only the operation `upload` may use. */
const WRITING = ['put-object', 'verify-object', 'lock', 'unlock'];
/** Longest time between two messages: a client may wait for its other connections. */
const IDLE_MS = 30 * 60_000;

/**
 * Serves `git-lfs-transfer`: transfers and locks over one conversation, by the rules of those over HTTP
 * (https://github.com/git-lfs/git-lfs/blob/main/docs/proposals/ssh_adapter.md).
 * @param target of a caller who may do what the operation needs
 * @throws MalformedPacketError for a violation of the protocol
 */
export async function serveTransfer(target: LfsTarget, operation: LfsOperation, streams: TransferStreams): Promise<void> {
  const { input, output, signal } = streams;
  const reader = new MessageReader(input);
  const idle = setTimeout(() => input.destroy(), IDLE_MS);
  try {
    await writeLines(output, ['version=1', 'locking']);
    for (;;) {
      idle.refresh();
      const message = await reader.next();
      if (!message || signal.aborted) return;
      if (message.command === 'quit') return await writeResponse(output, { status: 200 });
      await writeResponse(output, await respond({ ...streams, target, operation, reader }, message));
    }
  } finally {
    clearTimeout(idle);
  }
}

async function respond(conversation: Conversation, message: Message): Promise<Response> {
  const [name = '', argument = ''] = message.command.split(' ');
  const { reader } = conversation;
  const command = COMMANDS.get(name);
  reader.isAtEnd = !message.hasMore;
  let response: Response;
  try {
    if (!command) response = refusal(400, 'unknown command');
    else if (!(await conversation.mayStill())) response = refusal(403, 'not allowed any more');
    else if (WRITING.includes(name) && conversation.operation !== 'upload') response = refusal(403, 'not allowed');
    else response = await command(conversation, message, argument);
  } catch (error) {
    response = refusalOf(error);
  }
  if (!reader.isAtEnd) await reader.skip();
  return response;
}

async function batch({ target, operation, reader }: Conversation, { hasMore, args }: Message): Promise<Response> {
  const lines = hasMore ? await reader.lines() : [];
  reader.isAtEnd = true;
  const { maxBatchSize } = target.context.settings.lfs;
  if (lines.length > maxBatchSize) return refusal(413, `more than ${maxBatchSize} objects`);
  const hash = args.get('hash-algo');
  if (hash !== undefined && hash !== 'sha256') return refusal(409, 'only the hash algorithm sha256 is supported');
  const objects = lines.map((line) => {
    const [oid, size] = line.split(' ');
    return { oid, size: /^\d{1,15}$/.test(size ?? '') ? Number(size) : -1 };
  });
  const planned = await planBatch(target, operation, objects);
  const wrong = planned.find(({ error }) => error && error.code !== 404);
  if (wrong?.error) return refusal(wrong.error.code, wrong.error.message);
  return {
    status: 200,
    args: ['hash-algo=sha256'],
    lines: planned.map(({ oid, size, transfers }) => `${oid} ${size} ${transfers ? operation : 'noop'}`),
  };
}

async function listLock({ target, operation }: Conversation, { args }: Message): Promise<Response> {
  return await listLocksFor(target, operation, args);
}

async function getObject({ target, output, signal }: Conversation, _message: Message, oid: string): Promise<Response> {
  const { context } = target;
  const object = isOid(oid) ? await findObject(target, oid) : undefined;
  if (!object) return refusal(422, 'Oid or size are invalid');
  const release = await context.semaphores.downloads.acquire(callerKey(context), { signal });
  try {
    const stored = await context.storage.get(lfsKey(object));
    if (!stored) throw new LfsError(404);
    stored.stream.once('close', release);
    output.once('close', () => stored.stream.destroy());
    return { status: 200, args: [`size=${object.size}`], data: stored.stream };
  } catch (error) {
    release();
    throw error;
  }
}

async function putObject({ target, reader, signal }: Conversation, { args, hasMore }: Message, oid: string): Promise<Response> {
  const size = args.get('size') ?? '';
  if (!isOid(oid) || !/^\d{1,15}$/.test(size) || !hasMore) return refusal(422, 'Oid or size are invalid');
  await takeObject(target, { oid, size: Number(size) }, reader.data(), signal);
  return { status: 200 };
}

async function verifyObject({ target }: Conversation, { args }: Message, oid: string): Promise<Response> {
  const object = isOid(oid) ? await findObject(target, oid) : undefined;
  if (!object) return refusal(422, 'Oid or size are invalid');
  return object.size === Number(args.get('size')) ? { status: 200 } : refusal(409, 'the size does not match');
}

function refusal(status: number, message: string): Response {
  return { status, lines: [message] };
}

function refusalOf(error: unknown): Response {
  if (error instanceof LfsError) return refusal(error.status, error.message);
  if (error instanceof BusyError) return refusal(503, error.message);
  throw error;
}
