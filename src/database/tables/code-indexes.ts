import type { Generated } from 'kysely';

/** Indexes for the search of code. */
export interface CodeIndexesTable {
  id: Generated<number>;
  /** Not a foreign key: the row outlives the repository, until the bytes are deleted. */
  repository_id: number;
  /** `making` until all of it is stored; of a repository one is `ready`; `removed` until its bytes are deleted. */
  state: 'making' | 'ready' | 'removed';
  /** The key in the storage. */
  key: string;
  /** The version of its layout (`search/index/format.ts`). */
  format: number;
  /** The branch that was indexed, and its commit; empty where it had none. */
  branch: Generated<string>;
  commit_id: Generated<string>;
  /** The repository's `refs_version` when the branch was read. */
  refs_version: Generated<number>;
  files: Generated<number>;
  /** Bytes of the compressed texts, which come first. */
  texts_bytes: Generated<number>;
  /** Bytes of the table of files, which follows them. */
  table_bytes: Generated<number>;
  /** Some files were left out, as they were too many or too large. */
  is_partial: Generated<boolean>;
  /** The process that builds it. Not a foreign key, as with archives. */
  process_id: number | null;
  created_at: number;
}

export interface CodeIndexTables {
  code_indexes: CodeIndexesTable;
}
