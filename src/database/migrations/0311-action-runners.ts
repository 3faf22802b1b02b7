import type { SchemaKit, SchemaMigration } from './schema-kit.ts';

/** Of a repository, of an owner, or, with neither, of the instance. */
const LEVELS = { owner_id: 'part?:users', repository_id: 'part?:repositories' };

/** Who runs jobs, what jobs get, and what they leave. */
export const actionRunners: SchemaMigration = {
  name: '0311-action-runners',
  up: async (kit) => {
    await runners(kit);
    await secretsAndVariables(kit);
    await artifacts(kit);
  },
};

async function runners(kit: SchemaKit): Promise<void> {
  await kit.table('action_runners', {
    id: 'id',
    uuid: 'text',
    ...LEVELS,
    name: 'text',
    description: 'text=',
    version: 'text=',
    labels: 'json',
    is_ephemeral: 'boolean=false',
    is_disabled: 'boolean=false',
    token_hash: 'text',
    last_online_at: 'time=0',
    last_active_at: 'time=0',
    created_at: 'time',
    updated_at: 'time',
  });
  await kit.index('action_runners', ['uuid'], { unique: true });
  await kit.table('action_runner_tokens', {
    id: 'id',
    ...LEVELS,
    token_hash: 'text',
    sealed_token: 'text',
    is_active: 'boolean=true',
    created_at: 'time',
  });
  await kit.index('action_runner_tokens', ['token_hash'], { unique: true });
  for (const table of ['action_runners', 'action_runner_tokens']) {
    await kit.index(table, ['repository_id', 'id']);
    await kit.index(table, ['owner_id', 'id']);
  }
}

async function secretsAndVariables(kit: SchemaKit): Promise<void> {
  const named = { id: 'id', ...LEVELS, name: 'text', description: 'text=' };
  const times = { created_at: 'time', updated_at: 'time' };
  await kit.table('action_secrets', { ...named, sealed_value: 'text', ...times });
  await kit.table('action_variables', { ...named, value: 'text', ...times });
  for (const table of ['action_secrets', 'action_variables']) {
    await kit.index(table, ['repository_id', 'name'], { unique: true, where: 'repository_id is not null' });
    await kit.index(table, ['owner_id', 'name'], { unique: true, where: 'owner_id is not null' });
    await kit.index(table, ['name'], { unique: true, where: 'repository_id is null and owner_id is null' });
  }
}

async function artifacts(kit: SchemaKit): Promise<void> {
  await kit.table('action_artifacts', {
    id: 'id',
    run_id: 'ref:action_runs',
    repository_id: 'ref:repositories',
    owner_id: 'ref:users',
    runner_id: 'integer',
    commit_sha: 'text',
    name: 'text',
    path: 'text',
    storage_key: 'text=',
    size: 'integer=0',
    compressed_size: 'integer=0',
    encoding: 'text=',
    status: 'text',
    created_at: 'time',
    updated_at: 'time',
    expires_at: 'time?',
  });
  await kit.index('action_artifacts', ['run_id', 'name', 'path'], { unique: true });
  await kit.index('action_artifacts', ['repository_id', 'name', 'id']);
  await kit.index('action_artifacts', ['owner_id']);
  await kit.index('action_artifacts', ['status', 'id']);
  await kit.index('action_artifacts', ['expires_at', 'id'], { where: 'expires_at is not null' });
}
