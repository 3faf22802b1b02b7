import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { TagProtection } from '../../database/tables/code.ts';
import { badRequest, forbidden, notFound, unprocessable } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import { InvalidPatternError } from '../../text/pattern.ts';
import { teamIdsByName, userIdsByName } from './allow-lists.ts';
import { tagMatcher } from './patterns.ts';
import type { CreateTagProtectionOption, EditTagProtectionOption } from './schema.ts';

const MAX_RULES = 1000;

/**
 * The rule with this id, of this repository.
 * @throws HttpError 404
 */
export async function getTagProtection({ db }: Context, repository: Repository, id: number): Promise<TagProtection> {
  const rule = Number.isSafeInteger(id)
    ? await db.selectFrom('tag_protections').selectAll().where('id', '=', id).where('repository_id', '=', repository.id).executeTakeFirst()
    : undefined;
  if (!rule) throw notFound();
  return rule;
}

/** @throws HttpError 400, 403 when there is such a rule, 422 for unknown names and invalid expressions */
export async function createTagProtection(
  context: Context,
  repository: Repository,
  fields: Shape<typeof CreateTagProtectionOption>,
): Promise<TagProtection> {
  const { whitelist_usernames: users = [], whitelist_teams: teams = [] } = fields;
  const pattern = (fields.name_pattern ?? '').trim();
  if (pattern === '') throw badRequest('name_pattern are empty');
  if (users.length === 0 && teams.length === 0) throw badRequest('both whitelist_usernames and whitelist_teams are empty');
  return await inTransaction(context, async (context) => {
    const { db } = context;
    const rules = await db
      .selectFrom('tag_protections')
      .select(['id', 'name_pattern'])
      .where('repository_id', '=', repository.id)
      .execute();
    if (rules.some(({ name_pattern }) => name_pattern === pattern)) throw forbidden('Tag protection already exist');
    if (rules.length >= MAX_RULES) throw unprocessable(`a repository has at most ${MAX_RULES} tag protections`);
    requireReadable(pattern);
    const time = now();
    return await db
      .insertInto('tag_protections')
      .values({
        repository_id: repository.id,
        name_pattern: pattern,
        user_ids: JSON.stringify(await userIdsByName(context, users)),
        team_ids: JSON.stringify(await teamIdsByName(context, repository, teams)),
        created_at: time,
        updated_at: time,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** @throws HttpError 403 when there is another such rule, 404, 422 */
export async function editTagProtection(
  context: Context,
  repository: Repository,
  id: number,
  fields: Shape<typeof EditTagProtectionOption>,
): Promise<TagProtection> {
  return await inTransaction(context, async (context) => {
    const { db } = context;
    const rule = await getTagProtection(context, repository, id);
    const pattern = fields.name_pattern?.trim() ?? rule.name_pattern;
    if (pattern === '') throw badRequest('name_pattern are empty');
    if (pattern !== rule.name_pattern) {
      requireReadable(pattern);
      const same = await db
        .selectFrom('tag_protections')
        .select('id')
        .where('repository_id', '=', repository.id)
        .where('name_pattern', '=', pattern)
        .executeTakeFirst();
      if (same) throw forbidden('Tag protection already exist');
    }
    const { whitelist_usernames: users, whitelist_teams: teams } = fields;
    return await db
      .updateTable('tag_protections')
      .set({
        name_pattern: pattern,
        ...(users && { user_ids: JSON.stringify(await userIdsByName(context, users)) }),
        ...(teams && { team_ids: JSON.stringify(await teamIdsByName(context, repository, teams)) }),
        updated_at: now(),
      })
      .where('id', '=', rule.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** @throws HttpError 404 */
export async function deleteTagProtection(context: Context, repository: Repository, id: number): Promise<void> {
  const rule = await getTagProtection(context, repository, id);
  await context.db.deleteFrom('tag_protections').where('id', '=', rule.id).execute();
}

/** An invalid rule would protect nothing, or stop every push. */
function requireReadable(pattern: string): void {
  try {
    tagMatcher(pattern);
  } catch (error) {
    if (!(error instanceof InvalidPatternError)) throw error;
    throw unprocessable(`[NamePattern]: GlobOrRegexPattern: ${error.message}`);
  }
}
