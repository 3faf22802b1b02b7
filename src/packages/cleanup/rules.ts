import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageCleanupRuleRow } from '../../database/tables/packages.ts';
import { conflict, notFoundBecause, unprocessable } from '../../http/errors.ts';
import { expressionMatcher, InvalidPatternError } from '../../text/pattern.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { matchExpressions } from '../../workers/match-expressions.ts';

/** The terms of a rule. */
export type RuleTerms = Pick<
  PackageCleanupRuleRow,
  'enabled' | 'keep_count' | 'keep_pattern' | 'remove_days' | 'remove_pattern' | 'match_full_name'
>;

const NOTHING: RuleTerms = { enabled: false, keep_count: 0, keep_pattern: '', remove_days: 0, remove_pattern: '', match_full_name: false };

/** The rules of an owner, by type. */
export async function listRules({ db }: Context, owner: User): Promise<PackageCleanupRuleRow[]> {
  return await db.selectFrom('package_cleanup_rules').selectAll().where('owner_id', '=', owner.id).orderBy('type').execute();
}

/** @throws HttpError 404 */
export async function findRule({ db }: Context, owner: User, id: number): Promise<PackageCleanupRuleRow> {
  const found = Number.isSafeInteger(id)
    ? await db.selectFrom('package_cleanup_rules').selectAll().where('id', '=', id).where('owner_id', '=', owner.id).executeTakeFirst()
    : undefined;
  if (!found) throw notFoundBecause('cleanup rule does not exist');
  return found;
}

/** @throws HttpError 409 if the owner has a rule of this type, 422 for terms that cannot be */
export async function createRule(
  { db }: Context,
  owner: User,
  type: PackageType,
  given: Partial<RuleTerms>,
): Promise<PackageCleanupRuleRow> {
  const terms = { ...NOTHING, ...given };
  checkTerms(terms);
  const time = now();
  const made = await db
    .insertInto('package_cleanup_rules')
    .values({ ...terms, owner_id: owner.id, type, created_at: time, updated_at: time })
    .onConflict((conflict) => conflict.columns(['owner_id', 'type']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!made) throw conflict(`there is a cleanup rule for packages of the type ${type}`);
  return made;
}

/** @throws HttpError 404, 422 for terms that cannot be */
export async function editRule(context: Context, owner: User, id: number, given: Partial<RuleTerms>): Promise<PackageCleanupRuleRow> {
  return await inTransaction(context, async (context) => {
    const rule = await findRule(context, owner, id);
    checkTerms({ ...rule, ...given });
    return await context.db
      .updateTable('package_cleanup_rules')
      .set({ ...given, updated_at: now() })
      .where('id', '=', rule.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** @throws HttpError 404 */
export async function deleteRule(context: Context, owner: User, id: number): Promise<void> {
  const { id: found } = await findRule(context, owner, id);
  await context.db.deleteFrom('package_cleanup_rules').where('id', '=', found).execute();
}

/**
 * Which of some names the expressions of a rule say to remove: they match whole names case-insensitively.
 * @throws InvalidPatternError; HttpError 422 where that takes too long
 */
export async function chosenOf(
  context: Pick<Context, 'workers'>,
  { keep_pattern: keep, remove_pattern: remove }: Pick<RuleTerms, 'keep_pattern' | 'remove_pattern'>,
  names: readonly string[],
): Promise<boolean[]> {
  const expressions = [keep, remove].filter((pattern) => pattern !== '').map(wholeExpression);
  try {
    const found = await matchExpressions(context, expressions, names);
    return found.map((matches) => (keep === '' || !matches[0]) && (remove === '' || (matches.at(-1) ?? false)));
  } catch (error) {
    throw error instanceof WorkerLimitError ? unprocessable('[]: the patterns take too long to match') : error;
  }
}

/** @throws InvalidPatternError */
function wholeExpression(pattern: string): string {
  // First alone, since brackets around it could make an invalid expression valid.
  expressionMatcher(pattern);
  return `(?is)\\A(?:${pattern})\\z`;
}

/** @throws HttpError 422 for terms that cannot be */
export function checkTerms(terms: RuleTerms): void {
  if (terms.keep_count === 0 && terms.remove_days === 0 && terms.remove_pattern === '' && terms.keep_pattern === '') {
    throw unprocessable('[]: a rule without keep_count, keep_pattern, remove_days and remove_pattern would remove everything');
  }
  try {
    for (const pattern of [terms.keep_pattern, terms.remove_pattern]) expressionMatcher(wholeExpression(pattern));
  } catch (error) {
    if (error instanceof InvalidPatternError) throw unprocessable(`[]: a pattern cannot be read: ${error.message}`);
    throw error;
  }
}
