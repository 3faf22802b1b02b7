import type { Context } from '../context.ts';
import type { User, Visibility } from '../database/tables/accounts.ts';

/** The number of users or organizations with these visibilities, from the database's own counts. */
export async function countAccounts({ db }: Pick<Context, 'db'>, type: User['type'], visibilities: readonly Visibility[]): Promise<number> {
  const { total } = await db
    .selectFrom('account_counts')
    .select((select) => select.fn.sum<number | null>('count').as('total'))
    .where('type', '=', type)
    .where('visibility', 'in', visibilities)
    .executeTakeFirstOrThrow();
  return Number(total);
}
