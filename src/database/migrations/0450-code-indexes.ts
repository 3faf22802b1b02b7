import type { SchemaMigration } from './schema-kit.ts';

/** Indexes for the search of code: the bytes are in the storage. */
export const codeIndexes: SchemaMigration = {
  name: '0450-code-indexes',
  phase: 'expand',
  async up(kit) {
    await kit.table('code_indexes', {
      id: 'id',
      repository_id: 'integer',
      state: 'text',
      key: 'text',
      format: 'integer',
      branch: 'text=',
      commit_id: 'text=',
      refs_version: 'integer=0',
      files: 'integer=0',
      texts_bytes: 'integer=0',
      table_bytes: 'integer=0',
      is_partial: 'boolean=false',
      process_id: 'integer?',
      created_at: 'time',
    });
    await kit.index('code_indexes', ['repository_id'], { unique: true, where: "state = 'ready'" });
    await kit.index('code_indexes', ['repository_id', 'state']);
    await kit.index('code_indexes', ['key']);
    await kit.index('code_indexes', ['id'], { where: "state <> 'ready'" });
  },
};
