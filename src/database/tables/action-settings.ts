import type { Generated } from 'kysely';
import type { ActionPermissions } from './actions.ts';
import type { Json } from './platform.ts';

/** What the tokens of jobs may do in repositories, of an owner or of one. */
export interface ActionTokenSettingsTable {
  id: Generated<number>;
  /** For all repositories of this owner that have no row of their own; null for the row of a repository. */
  owner_id: number | null;
  repository_id: number | null;
  /** What a job gets whose workflow says nothing. */
  mode: 'permissive' | 'restricted';
  /** What a token has at most in each unit, whatever the workflow says; null for no limit. */
  maximum: Json<ActionPermissions | null>;
}

/** Repositories that the jobs of all repositories of their owner read. */
export interface ActionSharedRepositoriesTable {
  repository_id: number;
  owner_id: number;
}

/** Owners whose private repositories use the actions and workflows of a private repository. */
export interface ActionCollaborativeOwnersTable {
  repository_id: number;
  owner_id: number;
}

export interface ActionSettingsTables {
  action_token_settings: ActionTokenSettingsTable;
  action_shared_repositories: ActionSharedRepositoriesTable;
  action_collaborative_owners: ActionCollaborativeOwnersTable;
}
