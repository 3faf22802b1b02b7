import type { Generated, Selectable } from 'kysely';
import type { Json } from './platform.ts';

/** Runners: of a repository, of an owner, or, with neither, of the instance. */
export interface ActionRunnersTable {
  id: Generated<number>;
  uuid: string;
  owner_id: number | null;
  repository_id: number | null;
  name: string;
  description: Generated<string>;
  version: Generated<string>;
  labels: Json<string[]>;
  /** Gets one job only. */
  is_ephemeral: Generated<boolean>;
  is_disabled: Generated<boolean>;
  /** SHA-256, or a hash of Gitea where there is a salt. */
  token_hash: string;
  imported_salt: Generated<string>;
  last_online_at: Generated<number>;
  last_active_at: Generated<number>;
  /** When it was last given a job, until the runner confirms that. */
  given_at: Generated<number | null>;
  created_at: number;
  updated_at: number;
}

/** A number for each level of runners that grows with the jobs for them: a runner that knows it has no need to look for jobs. */
export interface ActionTaskVersionsTable {
  id: Generated<number>;
  /** Of an owner, of a repository, or, with neither, of the instance. */
  owner_id: number | null;
  repository_id: number | null;
  version: Generated<number>;
}

/** Logs of running tasks; those of finished tasks are in the storage. */
export interface ActionLogBlocksTable {
  task_id: number;
  /** Counts from 0. */
  first_line: number;
  lines: number;
  /** Bytes of all lines. */
  size: number;
  /** The lines, compressed by gzip. */
  content: Buffer | Uint8Array;
}

/** Tokens for the registration of runners. */
export interface ActionRunnerTokensTable {
  id: Generated<number>;
  owner_id: number | null;
  repository_id: number | null;
  /** SHA-256. */
  token_hash: string;
  /** Encrypted: the API returns it again. */
  sealed_token: string;
  is_active: Generated<boolean>;
  created_at: number;
}

/** Secrets for jobs: of a repository or of an owner. */
export interface ActionSecretsTable {
  id: Generated<number>;
  owner_id: number | null;
  repository_id: number | null;
  /** In capitals. */
  name: string;
  description: Generated<string>;
  /** Encrypted. */
  sealed_value: string;
  created_at: number;
  updated_at: number;
}

/** Variables for jobs: of a repository, of an owner, or, with neither, of the instance. */
export interface ActionVariablesTable {
  id: Generated<number>;
  owner_id: number | null;
  repository_id: number | null;
  /** In capitals. */
  name: string;
  description: Generated<string>;
  value: string;
  created_at: number;
  updated_at: number;
}

/** Files that runs upload. */
export interface ActionArtifactsTable {
  id: Generated<number>;
  run_id: number;
  repository_id: number;
  owner_id: number;
  runner_id: number;
  commit_sha: string;
  name: string;
  path: string;
  /** The key in the storage; empty before the bytes are there. */
  storage_key: Generated<string>;
  size: Generated<number>;
  compressed_size: Generated<number>;
  /** Its media type, or `gzip` for compressed files of the older protocol. */
  encoding: Generated<string>;
  status: 'pending' | 'confirmed' | 'failed' | 'expired' | 'deleting' | 'deleted';
  created_at: number;
  updated_at: number;
  /** Null for never. */
  expires_at: number | null;
}

export interface ActionRunnerTables {
  action_runners: ActionRunnersTable;
  action_task_versions: ActionTaskVersionsTable;
  action_log_blocks: ActionLogBlocksTable;
  action_runner_tokens: ActionRunnerTokensTable;
  action_secrets: ActionSecretsTable;
  action_variables: ActionVariablesTable;
  action_artifacts: ActionArtifactsTable;
}

export type ActionRunner = Selectable<ActionRunnersTable>;
export type ActionRunnerToken = Selectable<ActionRunnerTokensTable>;
export type ActionSecret = Selectable<ActionSecretsTable>;
export type ActionVariable = Selectable<ActionVariablesTable>;
export type ActionArtifact = Selectable<ActionArtifactsTable>;
