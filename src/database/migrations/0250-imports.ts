import type { SchemaMigration } from './schema-kit.ts';

/** Imports of other programs' instances: what is done of them, and what was left out. Tokens keep the hash that they came with until they are used. */
export const imports: SchemaMigration = {
  name: '0250-imports',
  async up(kit) {
    await kit.addColumn('access_tokens', 'imported_salt', 'text=');
    await kit.index('access_tokens', ['token_last_eight'], { where: "imported_salt <> ''" });
    await kit.index('access_tokens', ['imported_salt'], { where: "imported_salt <> ''" });
    await kit.table('imports', { id: 'id', source: 'text', started_at: 'time', finished_at: 'time?', process_id: 'ref?:processes' });
    await kit.table(
      'import_steps',
      { import_id: 'ref:imports', step: 'text', last_id: 'integer=0', rows_count: 'integer=0', is_done: 'boolean=false' },
      { primaryKey: ['import_id', 'step'] },
    );
    await kit.table('import_findings', { id: 'id', import_id: 'ref:imports', step: 'text', subject: 'text', reason: 'text' });
    await kit.index('import_findings', ['import_id', 'id']);
    await kit.index('imports', ['process_id']);
  },
};
