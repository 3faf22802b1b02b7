import { objectOf } from '../../../../packages/protocol/values.ts';
import type { Step } from '../../step.ts';
import { unitOf } from '../../units.ts';
import { jsonText, ownersOf } from './columns.ts';

/** Scheduled workflows of default branches. */
export const actionSchedules: Step = {
  name: 'schedules of automation',
  table: 'action_schedule',
  batchSize: 100,
  run: async (rows, batch) => {
    const owners = await ownersOf(rows, batch);
    for (const row of rows) {
      const ownerId = owners.get(row.integer('repo_id'));
      if (ownerId === undefined) continue;
      batch.add('action_schedules', {
        id: row.id,
        repository_id: row.integer('repo_id'),
        owner_id: ownerId,
        title: row.line('title'),
        workflow_id: row.line('workflow_id'),
        trigger_user_id: row.integer('trigger_user_id'),
        ref: row.line('ref', 4000),
        commit_sha: row.line('commit_sha', 64),
        event: row.line('event', 100),
        event_payload: jsonText(row, 'event_payload'),
        content: row.text('content'),
        created_at: row.time('created'),
      });
    }
  },
};

/** The times of schedules. */
export const actionScheduleSpecs: Step = {
  name: 'times of schedules',
  table: 'action_schedule_spec',
  run: async (rows, batch) => {
    const schedules = await batch.existingOf('action_schedules', rows, 'schedule_id');
    for (const row of rows) {
      if (!schedules.has(row.integer('schedule_id'))) continue;
      batch.add('action_schedule_specs', {
        id: row.id,
        schedule_id: row.integer('schedule_id'),
        repository_id: row.integer('repo_id'),
        spec: row.line('spec'),
        next_at: row.timeOrNull('next'),
        previous_at: row.timeOrNull('prev'),
      });
    }
  },
};

/** Disabled workflows, which Gitea stores in the configuration of the unit. */
export const actionDisabledWorkflows: Step = {
  name: 'workflows that do not run',
  table: 'repo_unit',
  run: async (rows, batch) => {
    const units = rows.filter((row) => unitOf(row.integer('type')) === 'actions');
    const repositories = await batch.existingOf('repositories', units, 'repo_id');
    for (const row of units) {
      const repositoryId = row.integer('repo_id');
      if (!repositories.has(repositoryId)) continue;
      const config = objectOf(row.json('config'));
      for (const workflowId of disabledIn(config))
        batch.add('action_disabled_workflows', { repository_id: repositoryId, workflow_id: workflowId });
    }
  },
};

function disabledIn({ DisabledWorkflows: names }: Record<string, unknown>): Set<string> {
  const texts = (Array.isArray(names) ? names : []).filter((name): name is string => typeof name === 'string');
  return new Set(texts.map((name) => name.slice(0, 255)).filter((name) => name !== ''));
}
