import type { Generated, Selectable, Updateable } from 'kysely';
import type { AccessLevel, UnitName } from './repositories.ts';

/** Who belongs to an organization: a row for each member of any of its teams. */
export interface OrganizationMembersTable {
  organization_id: number;
  user_id: number;
  is_public: Generated<boolean>;
  /** Grows with each member who joins; 0 for those who did before it was kept. */
  position: Generated<number>;
}

export interface TeamsTable {
  id: Generated<number>;
  organization_id: number;
  name: string;
  lower_name: string;
  description: Generated<string>;
  /** 4 for the owners' team, 3 for administrators of whole repositories; 0 where `team_units` applies. */
  access_level: AccessLevel;
  includes_all_repositories: Generated<boolean>;
  can_create_repositories: Generated<boolean>;
  repos_count: Generated<number>;
  members_count: Generated<number>;
}

/** What a team may do in one unit of its repositories. */
export interface TeamUnitsTable {
  team_id: number;
  unit: UnitName;
  access_level: AccessLevel;
}

export interface TeamMembersTable {
  team_id: number;
  organization_id: number;
  user_id: number;
}

/** The repositories of a team; of one that includes all, every repository of the organization. */
export interface TeamRepositoriesTable {
  team_id: number;
  organization_id: number;
  repository_id: number;
}

/** Invitations to a team by mail. */
export interface TeamInvitationsTable {
  id: Generated<number>;
  organization_id: number;
  team_id: number;
  inviter_id: number;
  email: string;
  lower_email: string;
  /** SHA-256 of the token in the mailed link: it is random, so it needs no slow hash. */
  token_hash: string;
  created_at: number;
  expires_at: number;
}

export interface OrganizationTables {
  organization_members: OrganizationMembersTable;
  teams: TeamsTable;
  team_units: TeamUnitsTable;
  team_members: TeamMembersTable;
  team_repositories: TeamRepositoriesTable;
  team_invitations: TeamInvitationsTable;
}

export type TeamInvitation = Selectable<TeamInvitationsTable>;

/** A team as stored. */
export type Team = Selectable<TeamsTable>;
export type TeamUpdate = Updateable<TeamsTable>;
