import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import { contains } from '../../database/contains.ts';
import type { TopicsTable } from '../../database/tables/repositories.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';

export type Topic = Selectable<TopicsTable>;

/** Maximum number of topics of a repository. */
export const MAX_TOPICS = 25;

/** Whether a topic's name is valid. */
export function isTopic(name: string): boolean {
  return /^[a-z0-9][-.a-z0-9]{0,34}$/.test(name);
}

function refused(message: string, fields: Record<string, unknown>): HttpError {
  return new HttpError(422, message, { fields, withUrl: false });
}

/**
 * Normalizes a topic to lower case.
 * @throws HttpError 422 for an invalid one
 */
function checkTopic(given: string): string {
  const name = given.toLowerCase().trim();
  if (!isTopic(name)) throw refused('Topic name is invalid', { invalidTopics: name });
  return name;
}

/**
 * Replaces the topics of a repository; it counts as updated even if they are the same.
 * @throws HttpError 422 naming invalid ones, or when there are too many
 */
export async function setTopics(context: Context, repository: { id: number }, given: readonly string[]): Promise<void> {
  const all = given.map((name) => name.toLowerCase().trim()).filter((name) => name !== '');
  const invalid = all.filter((name) => !isTopic(name));
  const names = [...new Set(all.filter(isTopic))];
  if (names.length > MAX_TOPICS) throw refused('Exceeding maximum number of topics per repo', { invalidTopics: null });
  if (invalid.length > 0) throw refused('Topic names are invalid', { invalidTopics: invalid.slice(0, 100) });
  await change(context, repository, () => names, { isUpdate: true });
}

/**
 * Adds a topic to a repository; does nothing if it has it.
 * @throws HttpError 422 for an invalid name, or when there are too many
 */
export async function addTopic(context: Context, repository: { id: number }, given: string): Promise<void> {
  const name = checkTopic(given);
  await change(context, repository, (names) => {
    if (names.length >= MAX_TOPICS) throw refused('Exceeding maximum allowed topics per repo.', {});
    return [...names, name];
  });
}

/**
 * Removes a topic from a repository.
 * @throws HttpError 404 when it does not have it, 422 for an invalid name
 */
export async function removeTopic(context: Context, repository: { id: number }, given: string): Promise<void> {
  const name = checkTopic(given);
  await change(context, repository, (names) => {
    if (!names.includes(name)) throw notFound();
    return names.filter((other) => other !== name);
  });
}

/** Updates the table, the counts and the repository's own list to the topics that `choose` returns. */
async function change(
  context: Context,
  { id }: { id: number },
  choose: (names: readonly string[]) => readonly string[],
  { isUpdate = false } = {},
): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const { topics: before } = await db
      .updateTable('repositories')
      .set((repositories) => ({ topics: repositories.ref('topics') as never }))
      .where('id', '=', id)
      .returning('topics')
      .executeTakeFirstOrThrow();
    const after = [...new Set(choose(before))].sort();
    const added = after.filter((name) => !before.includes(name));
    const removed = before.filter((name) => !after.includes(name));
    if (added.length > 0) await link({ db }, id, added);
    if (removed.length > 0) await unlink({ db }, id, removed);
    if (added.length + removed.length === 0 && !isUpdate) return;
    await db
      .updateTable('repositories')
      .set({ topics: JSON.stringify(after), updated_at: now() })
      .where('id', '=', id)
      .execute();
  });
}

async function link({ db }: Pick<Context, 'db'>, repositoryId: number, names: readonly string[]): Promise<void> {
  const time = now();
  const rows = await db
    .insertInto('topics')
    .values(names.map((name) => ({ name, repos_count: 1, created_at: time, updated_at: time })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ repos_count: sql`topics.repos_count + 1`, updated_at: time }))
    .returning('id')
    .execute();
  await db
    .insertInto('repository_topics')
    .values(rows.map((row) => ({ repository_id: repositoryId, topic_id: row.id })))
    .execute();
}

async function unlink({ db }: Pick<Context, 'db'>, repositoryId: number, names: readonly string[]): Promise<void> {
  const rows = await db
    .updateTable('topics')
    .set((topics) => ({ repos_count: topics('repos_count', '-', 1), updated_at: now() }))
    .where('name', 'in', names)
    .returning('id')
    .execute();
  const ids = rows.map((row) => row.id);
  await db.deleteFrom('repository_topics').where('repository_id', '=', repositoryId).where('topic_id', 'in', ids).execute();
}

/** The topics with a word in their name, those with the most repositories first. */
export async function searchTopics({ db }: Context, keyword: string, page: Page): Promise<{ topics: Topic[]; total: number }> {
  const found = db.selectFrom('topics').$if(keyword !== '', (query) => query.where(contains(sql.ref('topics.name'), keyword)));
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const topics = await found.selectAll().orderBy('repos_count', 'desc').orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { topics, total: Number(total) };
}
