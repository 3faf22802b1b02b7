import { randomInt } from 'node:crypto';
import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { PushMirrorRow } from '../../database/tables/mirrors.ts';
import { badRequest, notFound } from '../../http/errors.ts';
import { type RemoteCredentials, type RemoteUrl, requireRemoteAllowed } from '../../http/outgoing/remote-url.ts';
import type { Page } from '../../http/paging.ts';
import { readMirrorInterval } from '../../repositories/mirror-interval.ts';
import { sealCredentials } from '../credentials.ts';
import { enqueueMirror, withJitter } from '../schedule.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Push mirrors of one repository: each push can start a transfer to each of them. */
const MAX_MIRRORS = 100;

/** A new push mirror. */
export interface NewPushMirror {
  readonly target: RemoteUrl;
  readonly credentials: RemoteCredentials | undefined;
  /** Seconds between two scheduled pushes; 0 for none. */
  readonly interval: number;
  readonly syncOnCommit: boolean;
}

/** The push mirrors of a repository, oldest first. */
export async function listPushMirrors(
  { db }: Context,
  { id }: Repository,
  page: Page,
): Promise<{ mirrors: PushMirrorRow[]; total: number }> {
  const mirrors = db.selectFrom('push_mirrors').where('repository_id', '=', id);
  const { total } = await mirrors.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { mirrors: await mirrors.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute(), total: Number(total) };
}

/**
 * Finds a push mirror by its `remote_name`.
 * @throws HttpError 404
 */
export async function getPushMirror({ db }: Context, { id }: Repository, name: string): Promise<PushMirrorRow> {
  const row = await db
    .selectFrom('push_mirrors')
    .selectAll()
    .where('repository_id', '=', id)
    .where('remote_name', '=', name)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/**
 * Adds a push mirror. It does not push yet.
 * @throws RemoteUrlError for a host that is not allowed, HttpError 400 for too many mirrors
 */
export async function addPushMirror(context: Context, repository: Repository, mirror: NewPushMirror): Promise<PushMirrorRow> {
  const { target, credentials, interval } = mirror;
  await requireRemoteAllowed(context.settings, target);
  const time = now();
  return await inTransaction(context, async (context) => {
    const { db } = context;
    // Locks the repository's row, so that two concurrent requests cannot exceed the limit.
    await db.updateTable('repositories').set({ id: repository.id }).where('id', '=', repository.id).execute();
    const { total } = await db
      .selectFrom('push_mirrors')
      .select((select) => select.fn.countAll<number>().as('total'))
      .where('repository_id', '=', repository.id)
      .executeTakeFirstOrThrow();
    if (Number(total) >= MAX_MIRRORS) throw badRequest(`a repository has at most ${MAX_MIRRORS} push mirrors`);
    return await db
      .insertInto('push_mirrors')
      .values({
        repository_id: repository.id,
        remote_name: `remote_mirror_${Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`,
        remote_url: target.url,
        remote_host: target.host,
        credentials: sealCredentials(context, 'push mirror', target.url, credentials),
        interval,
        next_at: interval === 0 ? null : time + withJitter(interval),
        sync_on_commit: mirror.syncOnCommit,
        created_at: time,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/**
 * Changes how often a push mirror is pushed to, and whether with each push, and pushes to it.
 * @throws HttpError 404; 400 for an interval that is none
 */
export async function editPushMirror(
  context: Context,
  repository: Repository,
  name: string,
  { interval: text, syncOnCommit }: { interval: string; syncOnCommit: boolean },
): Promise<void> {
  const { id } = await getPushMirror(context, repository, name);
  const interval = readMirrorInterval(context.settings, text, badRequest);
  await inTransaction(context, async (context) => {
    await context.db
      .updateTable('push_mirrors')
      .set({ interval, sync_on_commit: syncOnCommit, next_at: interval === 0 ? null : now() + withJitter(interval) })
      .where('id', '=', id)
      .execute();
    await enqueueMirror(context, 'push_mirrors', id);
  });
}

/** Removes a push mirror, if there is one of this name. Nothing changes on the other server. */
export async function deletePushMirror({ db }: Context, { id }: Repository, name: string): Promise<void> {
  await db.deleteFrom('push_mirrors').where('repository_id', '=', id).where('remote_name', '=', name).execute();
}

const mirrorsOf = prepared((db, repositoryId: number) =>
  db.selectFrom('push_mirrors').select(['id', 'sync_on_commit']).where('repository_id', '=', repositoryId).orderBy('id'),
);

/**
 * Enqueues a push to the mirrors of a repository.
 * @param filter `sync on commit` for only those that get each push
 */
export async function enqueuePushes(context: Context, repositoryId: number, filter: 'all' | 'sync on commit'): Promise<void> {
  for (const { id, sync_on_commit: isSynced } of await mirrorsOf(context.db, repositoryId)) {
    if (filter === 'all' || isSynced) await enqueueMirror(context, 'push_mirrors', id);
  }
}
