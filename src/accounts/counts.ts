import type { Context } from '../context.ts';
import type { User, Visibility } from '../database/tables/accounts.ts';

/** How many people or organizations with these visibilities there are; kept by the database itself where counting is slow. */
export async function countAccounts({ db, database }: Context, type: User['type'], visibilities: readonly Visibility[]): Promise<number> {
  const { total } =
    database.dialect === 'sqlite'
      ? await db
          .selectFrom('account_counts')
          .select((select) => select.fn.sum<number>('count').as('total'))
          .where('type', '=', type)
          .where('visibility', 'in', visibilities)
          .executeTakeFirstOrThrow()
      : await db
          .selectFrom('users')
          .select((select) => select.fn.countAll<number>().as('total'))
          .where('type', '=', type)
          .where('visibility', 'in', visibilities)
          .executeTakeFirstOrThrow();
  return Number(total);
}
