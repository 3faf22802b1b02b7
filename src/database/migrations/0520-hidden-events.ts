import type { SchemaMigration } from './schema-kit.ts';

/** What people do not want to see in timelines. */
export const hiddenEvents: SchemaMigration = {
  name: '0520-hidden-events',
  phase: 'expand',
  async up(kit) {
    await kit.addColumn('users', 'hidden_events', 'text=');
  },
};
