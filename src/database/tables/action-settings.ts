import type { Generated } from 'kysely';
import type { ActionPermissions } from './actions.ts';
import type { Json } from './platform.ts';

/** What job tokens may do in the repositories of an owner, or in one repository. */
export interface ActionTokenSettingsTable {
  id: Generated<number>;
  /** For all repositories of this owner that have no row of their own; null for the row of a repository. */
  owner_id: number | null;
  repository_id: number | null;
  /** The permissions of a job whose workflow declares none. */
  mode: 'permissive' | 'restricted';
  /** The maximum permission of a token for each unit, whatever the workflow says; null for no limit. */
  maximum: Json<ActionPermissions | null>;
}

/** Repositories that jobs of all repositories of the same owner can read. */
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
