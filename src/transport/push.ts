import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { findRepository, type Repository } from '../access/find-repository.ts';
import { findUserById } from '../access/find-user.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { hookEnvironment } from '../code/git-hooks/run.ts';
import { decidePush, type Pusher, pusherOf } from '../code/protections/decide.ts';
import { type AnnouncedMove, announceMove, refsMoved, withdrawMove } from '../code/refs-moved.ts';
import { type Context, callerKey } from '../context.ts';
import { deletesNothing } from '../git/protocol/empty-deletions.ts';
import { type HookResponse, writeHooks } from '../git/protocol/hooks.ts';
import { PROC_RECEIVE_PREFIX, type ProcReceived } from '../git/protocol/proc-receive.ts';
import type { PushCommand } from '../git/protocol/push-commands.ts';
import { type FinishedPush, type PendingPush, type ReceivePackEnd, receivePack } from '../git/protocol/receive-pack.ts';
import type { ServiceResponse } from '../git/protocol/upload-pack.ts';
import type { RefUpdate } from '../git/refs/ref-update.ts';
import { HttpError } from '../http/errors.ts';
import type { GitTarget } from './git-target.ts';
import { pushMessages } from './push-messages.ts';
import { applyPushOptions, readPushOptions } from './push-options.ts';

/** The request of a client. */
export interface PushInput {
  /** Decompressed. */
  input: Readable;
  protocol?: string;
  /** One request and its response (HTTP), not a conversation (SSH). */
  stateless: boolean;
  /** Ends the wait for a permit when the client disconnects. */
  signal?: AbortSignal;
  /** Called once it has a permit: from then on an idle client blocks others. */
  admitted?: () => void;
  /** Whether the credential of the caller still leads here, where it can have been long since that was decided. */
  mayStill?: () => Promise<boolean>;
}

const hookFolders = new Map<string, Promise<string>>();

/**
 * Receives a push of a caller who may connect. Whether the refs may move is decided once its objects are there, by the rights and rules of
 * that moment; after the move the event is emitted.
 * @throws InvalidPushError for bytes that are not a push; BusyError while too many are received
 */
export async function takePush(context: Context, target: GitTarget, given: PushInput): Promise<ServiceResponse<ReceivePackEnd>> {
  const { signal, admitted, mayStill } = given;
  const push = new Push(context, target, mayStill);
  const response = await receivePack(target.folder, {
    input: given.input,
    stateless: given.stateless,
    ...(given.protocol === undefined ? {} : { protocol: given.protocol }),
    hooks: await hooksOf(context),
    maxPackBytes: context.settings.limits.pushBody,
    timeoutMs: context.settings.git.transferTimeout,
    customHooks: context.settings.git.hooksEnabled && !target.isWiki,
    hookEnvironment: hookEnvironment(context, target.repository, target.isWiki),
    admit: async () => {
      const release = await context.semaphores.uploads.acquire(callerKey(context), signal && { signal });
      admitted?.();
      return release;
    },
    preReceive: (pending) => push.check(pending),
    postReceive: (finished) => push.finish(finished),
    ...(target.isWiki ? {} : { procReceive: (handedOver) => push.takeForRefs(handedOver) }),
  });
  response.ended.then(
    () => push.end(undefined),
    (error: unknown) => push.end(error),
  );
  return response;
}

class Push {
  #context: Context;
  readonly #target: GitTarget;
  readonly #mayStill: () => Promise<boolean>;
  #move: AnnouncedMove | undefined;

  constructor(context: Context, target: GitTarget, mayStill: () => Promise<boolean> = async () => true) {
    this.#context = context;
    this.#target = target;
    this.#mayStill = mayStill;
  }

  async check(push: PendingPush): Promise<HookResponse> {
    const repository = await this.#repository();
    if (!repository || repository.is_archived || repository.is_mirror) return refused('The repository takes no pushes any more.');
    if (!(await this.#isStillPusher())) return refused('You may not push here any more.');
    if (this.#target.isWiki) return await this.#checkWiki(repository, push);
    const [pulls, commands] = partition(push.commands);
    const complaint = pulls.length > 0 ? await this.#refuseForRefs(repository, pulls) : undefined;
    if (complaint !== undefined) return refused(complaint);
    if (commands.length === 0) return { ok: true, lines: [] };
    const pusher = await this.#pusher(repository);
    const moves = commands.map(({ ref, before, after }) => ({ ref, before, after }));
    const folder = { ...this.#target.folder, quarantine: push.quarantine };
    const refusal = await withReason(() => decidePush(this.#context, repository, folder, pusher, moves));
    if (refusal) return refused(refusal.message);
    const moving = commands.filter((command) => !deletesNothing(command));
    if (moving.length > 0) this.#move = await announceMove(this.#context, repository, toUpdates(moving), readPushOptions(push.options));
    return { ok: true, lines: [] };
  }

  async #refuseForRefs(repository: Repository, commands: readonly PushCommand[]): Promise<string | undefined> {
    // A deploy key cannot open a pull request.
    if (this.#target.deployKey) return `Unexpected ref: ${commands[0]?.ref}`;
    return this.#context.provided.refuseForRefs(this.#context, repository);
  }

  /** Each ref that git passed on is a pull request; the check has allowed it. */
  async takeForRefs(push: FinishedPush): Promise<readonly ProcReceived[]> {
    const repository = await this.#repository();
    if (!repository) return push.commands.map(({ ref }) => ({ ref, refused: 'the repository is gone' }));
    return this.#context.provided.takeForRefs(this.#context, repository, push);
  }

  async finish(push: FinishedPush): Promise<readonly string[]> {
    const repository = await this.#repository();
    if (!repository) return [];
    if (this.#target.isWiki) {
      const { jobs } = this.#context;
      await jobs.add(this.#context, 'repository.maintain', { repositoryId: repository.id, isWiki: true }, { key: `${repository.id} wiki` });
      return [];
    }
    const pushOptions = readPushOptions(push.options);
    const move = this.#move;
    this.#move = undefined;
    // The heads of pull requests are recorded already.
    const updates = toUpdates(push.commands).filter(({ ref }) => !ref.startsWith('refs/pull/'));
    await refsMoved(this.#context, repository, updates, { pushOptions, ...(move && { move }) });
    const complaint = await applyPushOptions(this.#context, repository, (await this.#pusher(repository)).access, pushOptions);
    if (complaint) return [complaint];
    // The first push may have chosen the default branch.
    return await pushMessages(this.#context, (await this.#repository()) ?? repository, push.commands);
  }

  /** The refs did not move, or not all: the rest of the announcement is withdrawn. */
  async end(error: unknown): Promise<void> {
    const { log } = this.#context;
    const repository = this.#target.repository.id;
    if (error !== undefined) log.error({ repository, err: error }, 'a push failed');
    try {
      if (this.#move) await withdrawMove(this.#context, this.#move);
    } catch (failure) {
      log.error({ repository, err: failure }, 'a push could not be ended');
    }
  }

  /** A wiki has no rules of its own, except that its pages stay: checks that the user may still push. */
  async #checkWiki(repository: Repository, { commands }: PendingPush): Promise<HookResponse> {
    const { access } = await this.#pusher(repository);
    if (!access.canWrite('wiki') && !this.#target.deployKey?.canWrite) return refused('The wiki takes no pushes any more.');
    if (partition(commands)[0].length > 0) return refused('Pull requests are not supported on the wiki.');
    const branch = repository.default_wiki_branch;
    const deletes = commands.some(({ ref, after }) => ref === `refs/heads/${branch}` && /^0+$/.test(after));
    return deletes ? refused(`branch ${branch} is the default branch and cannot be deleted`) : { ok: true, lines: [] };
  }

  /** As it is now: a push can take long. */
  async #repository(): Promise<Repository | undefined> {
    return await findRepository(this.#context.db, this.#target.repository.id);
  }

  /** Takes the account as it is now, which can have lost rights or been blocked since the push began. */
  async #isStillPusher(): Promise<boolean> {
    if (!(await this.#mayStill())) return false;
    const { actor, db, signIn } = this.#context;
    // Jobs have no account of their own.
    if (!actor || signIn.job) return true;
    const current = await findUserById(db, actor.id);
    if (!current?.is_active || current.prohibit_login) return false;
    this.#context = { ...this.#context, actor: current };
    return true;
  }

  async #pusher(repository: Repository): Promise<Pusher> {
    const { actor } = this.#context;
    const access = await repositoryAccess(this.#context, repository, actor);
    return await pusherOf(this.#context, repository, actor, access, this.#target.deployKey);
  }
}

/** The refs that become pull requests, and the others. */
function partition(commands: readonly PushCommand[]): [pulls: PushCommand[], others: PushCommand[]] {
  const isPull = ({ ref }: PushCommand) => ref.startsWith(PROC_RECEIVE_PREFIX);
  return [commands.filter(isPull), commands.filter((command) => !isPull(command))];
}

/** Errors of rules are also sent to the pusher. */
async function withReason<T>(decide: () => Promise<T>): Promise<T | { readonly message: string }> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return error;
    throw error;
  }
}

function refused(message: string): HookResponse {
  return { ok: false, lines: ['', `error: ${message}`, ''] };
}

function toUpdates(commands: readonly PushCommand[]): RefUpdate[] {
  return commands.map(({ ref, before, after }) => ({ ref, oldId: before, newId: after }));
}

/** The hooks are written once for each data folder. */
function hooksOf({ settings }: Context): Promise<string> {
  const folder = join(settings.server.dataDir, 'hooks');
  const known = hookFolders.get(folder);
  if (known) return known;
  const written = writeHooks(folder).then(() => folder);
  written.catch(() => hookFolders.delete(folder));
  hookFolders.set(folder, written);
  return written;
}
