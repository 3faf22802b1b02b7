import { PassThrough, Readable } from 'node:stream';
import { bytesOf, feed, type ServiceEnd, startService } from '../processes/service-process.ts';
import { type GitRepository, whileWriting } from '../repository.ts';
import { customHooksOf } from './custom-hooks.ts';
import { deletesNothing, firstThatExists } from './empty-deletions.ts';
import { withFewTransactions } from './few-transactions.ts';
import {
  CUSTOM_HOOKS_VARIABLE,
  type HookRequest,
  type HookResponse,
  hooksFolder,
  MANY_REFS_VARIABLE,
  type QuarantineEnvironment,
  serveHooks,
} from './hooks.ts';
import { PROC_RECEIVE_PREFIX, type ProcReceived, serveProcReceive } from './proc-receive.ts';
import { type PushCommand, readPushHead } from './push-commands.ts';
import { PULL_REFS, RECEIVE_CONFIG } from './receive-config.ts';
import type { ServiceResponse } from './upload-pack.ts';

/** A push before its refs move. */
export interface PendingPush {
  /** Without those of pull requests, which no push moves. */
  commands: readonly PushCommand[];
  /** The values of `git push -o`. */
  options: readonly string[];
  /** For the git processes that check the push: without it they do not see its objects. */
  quarantine: QuarantineEnvironment;
}

/** A push whose refs have moved. */
export interface FinishedPush {
  commands: readonly PushCommand[];
  options: readonly string[];
}

/** Options of {@link receivePack}. */
export interface ReceivePackOptions {
  /** The client's data, decompressed. */
  input: Readable;
  protocol?: string;
  /** One request and its response (HTTP), not a conversation (SSH). */
  stateless: boolean;
  /** The folder of writeHooks. */
  hooks: string;
  /** Handles the refs below `refs/for/` instead of git, once their objects are in the repository. Left out: they are ordinary refs. */
  procReceive?: (push: FinishedPush) => Promise<readonly ProcReceived[]>;
  /** Whether the repository's custom hooks run (custom-hooks.ts), after the server has accepted the push. */
  customHooks?: boolean;
  /** Further environment variables for them, such as the pusher. */
  hookEnvironment?: Readonly<Record<string, string>>;
  /** Size limit of the pack in bytes; 0 or left out for none. */
  maxPackBytes?: number;
  /**
   * Waits until git may be started, and returns the function to call when it has ended. Called when the commands are known, so that a client
   * that sends none holds no permit; where git speaks first, before that.
   */
  admit?: () => Promise<() => void>;
  /** Decides about the whole push. The lines are shown to the user as `remote: …`. An error refuses the push. */
  preReceive: (push: PendingPush) => Promise<HookResponse>;
  /** Called once the refs have moved, even if the client has disconnected; returns lines to show. */
  postReceive: (push: FinishedPush) => Promise<readonly string[]>;
  timeoutMs?: number;
}

/** The end of a push. */
export interface ReceivePackEnd extends ServiceEnd {
  /** The refs that moved. */
  commands: readonly PushCommand[];
}

const DEFAULT_TIMEOUT_MS = 60 * 60 * 1000;
const MANY_REFS = 200;

/**
 * Receives a push. Until preReceive has accepted it, its objects are in a quarantine that git deletes with the process. A client
 * that disconnects before its pack is complete has pushed nothing; one that does so later has pushed nevertheless.
 * `ended` rejects with the error of preReceive or postReceive, once the process has ended.
 * @throws InvalidPushError for invalid data, before any response (not where `stateless` is false: then
 * `ended` rejects with it)
 */
export async function receivePack(repository: GitRepository, options: ReceivePackOptions): Promise<ServiceResponse<ReceivePackEnd>> {
  const input = bytesOf(options.input);
  if (!options.stateless) {
    return await writingToEnd(repository, () => converse(repository, options, input));
  }
  const head = await readPushHead(input, repository.objectFormat);
  if (head.commands.length === 0) {
    return { output: Readable.from([]), ended: Promise.resolve({ code: 0, stderr: '', commands: [] }) };
  }
  head.bytes = withFewTransactions(head);
  // A client that compresses for minutes before it sends a pack, as over SSH, holds no permit meanwhile.
  const first = head.awaitsPack ? await input.next() : undefined;
  if (first && !first.done) head.bytes = Buffer.concat([head.bytes, first.value]);
  return await writingToEnd(repository, async () => {
    const push = await Push.admitted(repository, options, { many: head.commands.length > MANY_REFS, pulls: head.commands.some(isOfPull) });
    push.begin(input, head);
    return push.response;
  });
}

/** Starts a push, and counts it as a write until git has ended. */
async function writingToEnd<T extends ServiceResponse<ReceivePackEnd>>(repository: GitRepository, begin: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  whileWriting(repository, async () => {
    const response = await begin();
    resolve(response);
    await response.ended.catch(() => {});
  }).catch(reject);
  return await promise;
}

/** Over SSH git speaks first, so it runs before the client's commands are known. */
async function converse(
  repository: GitRepository,
  options: ReceivePackOptions,
  input: AsyncIterator<Buffer>,
): Promise<ServiceResponse<ReceivePackEnd>> {
  const push = await Push.admitted(repository, options, { many: false, pulls: false });
  readPushHead(input, repository.objectFormat).then(
    (head) => push.begin(input, head),
    (error: unknown) => push.fail(error),
  );
  return push.response;
}

function isOfPull({ ref }: PushCommand): boolean {
  return ref.startsWith(PULL_REFS);
}

class Push {
  readonly response: ServiceResponse<ReceivePackEnd>;
  readonly #process;
  readonly #repository: GitRepository;
  readonly #options: ReceivePackOptions;
  #pushOptions: readonly string[] = [];
  #moved: readonly PushCommand[] = [];
  #error: { reason: unknown } | undefined;

  /** Starts git once it is admitted. */
  static async admitted(...given: ConstructorParameters<typeof Push>): Promise<Push> {
    const [, { admit }] = given;
    const release = await admit?.();
    try {
      const push = new Push(...given);
      const end = () => release?.();
      push.response.ended.then(end, end);
      return push;
    } catch (error) {
      release?.();
      throw error;
    }
  }

  constructor(repository: GitRepository, options: ReceivePackOptions, has: { many: boolean; pulls: boolean }) {
    const { hooks, maxPackBytes = 0, protocol, stateless, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const custom = options.customHooks ? customHooksOf(repository) : [];
    const hooksPath = `core.hooksPath=${hooksFolder(hooks, has.pulls || custom.includes('update'))}`;
    const config = [...RECEIVE_CONFIG, '-c', hooksPath, '-c', `receive.maxInputSize=${maxPackBytes}`];
    // The hook refuses the refs that would otherwise be hidden, with the message that clients expect.
    if (has.pulls) config.push('-c', 'receive.hideRefs=!refs/pull');
    if (options.procReceive) config.push('-c', `receive.procReceiveRefs=${PROC_RECEIVE_PREFIX.replace(/\/$/, '')}`);
    this.#repository = repository;
    this.#options = options;
    this.#process = startService(repository, [...config, 'receive-pack', ...(stateless ? ['--stateless-rpc'] : []), '.'], {
      ...(protocol === undefined ? {} : { protocol }),
      env: {
        ...options.hookEnvironment,
        ...(has.many ? { [MANY_REFS_VARIABLE]: '1' } : {}),
        ...(custom.length > 0 ? { [CUSTOM_HOOKS_VARIABLE]: '1' } : {}),
      },
      channels: options.procReceive ? 2 : 1,
      memory: 'receiving',
      timeoutMs,
    });
    const note = (error: unknown) => this.#note(error);
    const [requests, handedOver] = this.#process.channels;
    if (requests) serveHooks(requests, repository.objectFormat, (request) => this.#ask(request), note);
    const { procReceive } = options;
    if (handedOver && procReceive) serveProcReceive(handedOver, (commands) => procReceive({ commands, options: this.#pushOptions }), note);
    const ended = this.#end();
    ended.catch(() => {});
    this.response = { output: this.#output(), ended };
  }

  /** Passes the client's commands and the rest of its data to git. */
  begin(input: AsyncIterator<Buffer>, head: { bytes: Buffer; options: readonly string[] }): void {
    this.#pushOptions = head.options;
    void feed(this.#process, head.bytes, input);
  }

  fail(error: unknown): void {
    this.#note(error);
    this.#process.stop('no push was sent');
  }

  #note(reason: unknown): void {
    this.#error ??= { reason };
  }

  async #ask(request: HookRequest): Promise<HookResponse> {
    const options = this.#pushOptions;
    if (request.hook === 'pre-receive') {
      // A pushed mirror has refs of pull requests: they do not prevent the others. Alone they are refused here, where their
      // objects are still in the quarantine.
      const commands = request.commands.filter((command) => !isOfPull(command));
      if (commands.length === 0) return { ok: false, lines: [`error: ${PULL_REFS} is not for pushes`] };
      const made = await firstThatExists(this.#repository, commands);
      if (made !== undefined) return { ok: false, lines: [`error: ${made} has been created meanwhile`] };
      return await this.#options.preReceive({ ...request, commands, options });
    }
    this.#moved = request.commands.filter((command) => !deletesNothing(command));
    return { ok: true, lines: await this.#options.postReceive({ commands: this.#moved, options }) };
  }

  /**
   * git would die of a broken pipe when the client has disconnected, without reporting the refs that it has moved: so its output is read to
   * the end, even without a client.
   */
  #output(): Readable {
    const output = new PassThrough();
    const { stdout } = this.#process;
    stdout.on('data', (bytes: Buffer) => {
      if (output.writable && !output.write(bytes)) stdout.pause();
    });
    stdout.on('end', () => output.end());
    for (const event of ['drain', 'close']) output.on(event, () => stdout.resume());
    return output;
  }

  async #end(): Promise<ReceivePackEnd> {
    const end = await this.#process.ended;
    for (const channel of this.#process.channels) channel.destroy();
    if (this.#error) throw this.#error.reason;
    return { ...end, commands: this.#moved };
  }
}
