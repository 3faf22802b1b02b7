import { sql } from 'kysely';
import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { BranchProtectionUpdate } from '../../database/tables/code.ts';
import { unprocessable } from '../../http/errors.ts';

/** Characters of the checks and patterns of all rules of a repository: lists of branches and pushes read all of them. */
const MAX_TOTAL = 1024 * 1024;

const LISTS = {
  status_check_contexts: 'StatusCheckContexts',
  protected_file_patterns: 'ProtectedFilePatterns',
  unprotected_file_patterns: 'UnprotectedFilePatterns',
} as const;

/** Part of a change of a rule. @throws HttpError 422 that names the list when all rules together are too long with it */
export async function refuseLongRules({ db }: Context, repository: Repository, changed: BranchProtectionUpdate): Promise<void> {
  const longest = Object.entries(LISTS)
    .map(([column, field]) => ({ field, length: String(changed[column as keyof typeof LISTS] ?? '').length }))
    .reduce((one, other) => (other.length > one.length ? other : one));
  if (longest.length === 0) return;
  const { total } = await db
    .selectFrom('branch_protections')
    .select(
      sql<
        number | null
      >`sum(length(cast(status_check_contexts as text)) + length(protected_file_patterns) + length(unprotected_file_patterns))`.as('total'),
    )
    .where('repository_id', '=', repository.id)
    .executeTakeFirstOrThrow();
  if (Number(total) > MAX_TOTAL) throw unprocessable(`[${longest.field}]: MaxSize`);
}
