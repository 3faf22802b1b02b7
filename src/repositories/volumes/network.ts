import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';

/** A repository of a network. */
export interface NetworkMember {
  readonly id: number;
  readonly state: string;
  readonly volume: string;
  /** Bytes, including its LFS objects. */
  readonly size: number;
  readonly lfs_size: number;
}

/**
 * The repositories that share files by hard links: a repository and all its direct and indirect forks. Sorted by id, so
 * that sources come before their forks.
 */
export async function networkOf(db: Db, id: number): Promise<NetworkMember[]> {
  // `union` instead of `union all` ends cycles, which cannot exist.
  const { rows } = await sql<NetworkMember>`
    with recursive above(id, fork_id) as (
      select id, fork_id from repositories where id = ${id}
      union select r.id, r.fork_id from repositories r join above on r.id = above.fork_id
    ), network(id) as (
      select id from above
      union select r.id from repositories r join network on r.fork_id = network.id
    )
    select r.id, r.state, r.volume, r.size, r.lfs_size from repositories r join network on r.id = network.id order by r.id`.execute(db);
  return rows;
}
