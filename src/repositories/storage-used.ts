import type { Context } from '../context.ts';

/** What the repositories of an account take: bytes of Git, and bytes of large files. */
export interface StorageUsed {
  readonly git: number;
  readonly lfs: number;
}

/** How much the repositories of an account take. */
export async function storageUsed({ db }: Pick<Context, 'db'>, owner: { id: number }): Promise<StorageUsed> {
  const { git, lfs } = await db
    .selectFrom('repositories')
    .select((select) => [select.fn.sum<number | null>('size').as('git'), select.fn.sum<number | null>('lfs_size').as('lfs')])
    .where('owner_id', '=', owner.id)
    .where('state', '=', 'ready')
    .executeTakeFirstOrThrow();
  return { git: Number(git ?? 0), lfs: Number(lfs ?? 0) };
}
