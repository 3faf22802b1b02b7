import type { SchemaMigration } from './schema-kit.ts';

/** What running processes do, and which of them are about to stop. */
export const processLoad: SchemaMigration = {
  name: '0395-process-load',
  up: async (kit) => {
    await kit.addColumn('processes', 'is_draining', 'boolean=false');
    await kit.addColumn('processes', 'load', 'json?');
  },
};
