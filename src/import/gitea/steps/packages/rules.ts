import { checkTerms } from '../../../../packages/cleanup/rules.ts';
import type { Step } from '../../step.ts';
import { faultOf } from '../fault.ts';
import { typeOf } from './packages.ts';

/** Cleanup rules for old versions. */
export const packageRules: Step = {
  name: 'cleanup rules of packages',
  table: 'package_cleanup_rule',
  run: async (rows, batch) => {
    const owners = await batch.existingOf('users', rows, 'owner_id');
    for (const row of rows) {
      const type = typeOf(row);
      if (type === undefined || !owners.has(row.integer('owner_id'))) continue;
      const terms = {
        enabled: row.flag('enabled'),
        keep_count: Math.max(0, row.integer('keep_count')),
        keep_pattern: row.line('keep_pattern'),
        remove_days: Math.max(0, row.integer('remove_days')),
        remove_pattern: row.line('remove_pattern'),
        match_full_name: row.flag('match_full_name'),
      };
      const fault = faultOf(() => checkTerms(terms));
      if (fault !== undefined) {
        batch.note(`cleanup rule ${row.id} for ${type} packages of account ${row.integer('owner_id')}`, `${fault}: it is left out`);
        continue;
      }
      const times = { created_at: row.time('created_unix'), updated_at: row.time('updated_unix') };
      batch.add('package_cleanup_rules', { id: row.id, owner_id: row.integer('owner_id'), type, ...terms, ...times });
    }
  },
};
