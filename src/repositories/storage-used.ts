import type { Context } from '../context.ts';

/** The storage of an account's repositories: bytes of Git, and bytes of LFS objects. */
export interface StorageUsed {
  readonly git: number;
  readonly lfs: number;
}

/** The storage that the repositories of an account use. */
export async function storageUsed({ db }: Pick<Context, 'db'>, owner: { id: number }): Promise<StorageUsed> {
  const { git, lfs } = await db
    .selectFrom('repositories')
    .select((select) => [select.fn.sum<number | null>('size').as('git'), select.fn.sum<number | null>('lfs_size').as('lfs')])
    .where('owner_id', '=', owner.id)
    .where('state', '=', 'ready')
    .executeTakeFirstOrThrow();
  return { git: Number(git ?? 0), lfs: Number(lfs ?? 0) };
}
