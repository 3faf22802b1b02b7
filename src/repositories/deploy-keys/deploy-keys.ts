import type { Repository } from '../../access/find-repository.ts';
import { givenSshKey } from '../../accounts/keys/ssh-keys.ts';
import type { SshPublicKey } from '../../accounts/keys/ssh-public-key.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { DeployKey, SshKey } from '../../database/tables/keys.ts';
import type { Events } from '../../events/events.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';

/** Maximum number of deploy keys of a repository. */
const MAX_KEYS = 1000;

/** A deploy key with its SSH key. */
export interface DeployKeyWithContent extends DeployKey {
  content: string;
  fingerprint: string;
}

/** The deploy keys of the repository, or the requested ones of them, in the order in which they were added. */
export async function listDeployKeys(
  { db }: Context,
  repository: Repository,
  { keyId, fingerprint }: { keyId?: number; fingerprint?: string },
  page: Page,
): Promise<{ keys: DeployKeyWithContent[]; total: number }> {
  let found = withContent(db).where('repository_id', '=', repository.id);
  if (keyId) found = found.where('key_id', '=', keyId);
  if (fingerprint) found = found.where('fingerprint', '=', fingerprint);
  const { total } = await found
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { keys: await found.orderBy('deploy_keys.id').limit(page.limit).offset(page.offset).execute(), total: Number(total) };
}

/**
 * The deploy key with this id, of this repository.
 * @throws HttpError 404
 */
export async function getDeployKey({ db }: Context, repository: Repository, id: number): Promise<DeployKeyWithContent> {
  const key = await withContent(db).where('deploy_keys.id', '=', id).where('repository_id', '=', repository.id).executeTakeFirst();
  if (!key) throw notFound();
  return key;
}

function withContent(db: Db) {
  return db
    .selectFrom('deploy_keys')
    .innerJoin('ssh_keys', 'ssh_keys.id', 'deploy_keys.key_id')
    .selectAll('deploy_keys')
    .select(['ssh_keys.content', 'ssh_keys.fingerprint']);
}

/**
 * Adds a deploy key to the repository. The same key may be used by other repositories, but not by a user.
 * @throws HttpError 422 for an invalid key, one of a user, one that the repository has already, and a title that is taken
 */
export async function addDeployKey(
  context: Context,
  repository: Repository,
  { title, key, canWrite }: { title: string; key: string; canWrite: boolean },
): Promise<DeployKeyWithContent> {
  const given = givenSshKey(context, key);
  return inTransaction(context, async (context) => {
    const { db } = context;
    const { id: keyId, content, fingerprint } = await sharedKey(db, title, given);
    await refuseRepeated(db, repository, keyId, title);
    const added = await db
      .insertInto('deploy_keys')
      .values({ key_id: keyId, repository_id: repository.id, title, can_write: canWrite, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!added) throw titleTaken();
    return { ...added, content, fingerprint };
  });
}

/** The row of the key, which all its repositories share. */
async function sharedKey(db: Db, title: string, { content, fingerprint }: SshPublicKey): Promise<SshKey> {
  const time = now();
  const row = await db
    .insertInto('ssh_keys')
    .values({ type: 'deploy', user_id: null, title, content, fingerprint, created_at: time, last_used_at: time })
    // The update changes nothing; it locks the row until this transaction ends, so that nobody deletes it meanwhile.
    .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ fingerprint }))
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.type !== 'deploy') throw unprocessable('Key content has been used as non-deploy key');
  return row;
}

async function refuseRepeated(db: Db, repository: Repository, keyId: number, title: string): Promise<void> {
  const keys = await db.selectFrom('deploy_keys').select(['key_id', 'title']).where('repository_id', '=', repository.id).execute();
  if (keys.some((key) => key.key_id === keyId)) throw unprocessable('This key has already been added to this repository');
  if (keys.some((key) => key.title === title)) throw titleTaken();
  if (keys.length >= MAX_KEYS) throw unprocessable(`a repository has at most ${MAX_KEYS} deploy keys`);
}

function titleTaken() {
  return unprocessable('A key with the same name already exists');
}

/** Removes a deploy key from the repository; one that it does not have is not an error. */
export async function deleteDeployKey(context: Context, repository: Repository, id: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const keys = await db
      .deleteFrom('deploy_keys')
      .where('id', '=', id)
      .where('repository_id', '=', repository.id)
      .returning('key_id')
      .execute();
    await removeUnused(db, keys);
  });
}

/** Deletes the deploy keys of a deleted repository; the SSH keys themselves can be added again at once. */
export async function removeDeployKeys({ repositoryId }: Events['repository.deleted'], { db }: Context): Promise<void> {
  const keys = await db.deleteFrom('deploy_keys').where('repository_id', '=', repositoryId).returning('key_id').execute();
  await removeUnused(db, keys);
}

async function removeUnused(db: Db, keys: readonly { key_id: number }[]): Promise<void> {
  if (keys.length === 0) return;
  await db
    .deleteFrom('ssh_keys')
    .where(
      'id',
      'in',
      keys.map(({ key_id }) => key_id),
    )
    .where('type', '=', 'deploy')
    .where((where) =>
      where.not(where.exists(where.selectFrom('deploy_keys').select('deploy_keys.id').whereRef('deploy_keys.key_id', '=', 'ssh_keys.id'))),
    )
    .execute();
}
