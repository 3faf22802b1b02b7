import { emailFault } from '../../../../accounts/names.ts';
import { hashRandomValue } from '../../../../accounts/oauth2/client-secrets.ts';
import { now } from '../../../../clock.ts';
import type { AccessLevel } from '../../../../database/tables/repositories.ts';
import type { Step } from '../../step.ts';
import { unitOf } from '../../units.ts';

/** Members of organizations. */
export const members: Step = {
  name: 'members of organizations',
  table: 'org_user',
  run: async (rows, batch) => {
    const accounts = await batch.existingOf('users', rows, 'uid', 'org_id');
    for (const row of rows) {
      const [user, organization] = [row.integer('uid'), row.integer('org_id')];
      if (!accounts.has(user) || !accounts.has(organization)) continue;
      const membership = { organization_id: organization, user_id: user };
      batch.add('organization_members', { ...membership, is_public: row.flag('is_public'), position: row.id });
    }
  },
};

export const teams: Step = {
  name: 'teams',
  table: 'team',
  run: async (rows, batch) => {
    const organizations = await batch.existingOf('users', rows, 'org_id');
    for (const row of rows) {
      if (!organizations.has(row.integer('org_id'))) continue;
      const name = row.line('name');
      batch.add('teams', {
        id: row.id,
        organization_id: row.integer('org_id'),
        name,
        lower_name: name.toLowerCase(),
        description: row.text('description'),
        access_level: levelOf(row.integer('authorize')),
        includes_all_repositories: row.flag('includes_all_repositories'),
        can_create_repositories: row.flag('can_create_org_repo'),
      });
    }
  },
};

/** The access of teams to each unit. */
export const teamUnits: Step = {
  name: 'units of teams',
  table: 'team_unit',
  run: async (rows, batch) => {
    const teams = await batch.existingOf('teams', rows, 'team_id');
    for (const row of rows) {
      const unit = unitOf(row.integer('type'));
      if (!teams.has(row.integer('team_id')) || unit === undefined) continue;
      batch.add('team_units', { team_id: row.integer('team_id'), unit, access_level: levelOf(row.integer('access_mode')) });
    }
  },
};

export const teamMembers: Step = {
  name: 'members of teams',
  table: 'team_user',
  run: async (rows, batch) => {
    const teams = await batch.existingOf('teams', rows, 'team_id');
    const users = await batch.existingOf('users', rows, 'uid', 'org_id');
    for (const row of rows) {
      const [team, organization, user] = [row.integer('team_id'), row.integer('org_id'), row.integer('uid')];
      if (!teams.has(team) || !users.has(user) || !users.has(organization)) continue;
      batch.add('team_members', { team_id: team, organization_id: organization, user_id: user });
    }
  },
};

/** Open invitations. Gitea's never expire; here they are valid as long as new ones. */
export const teamInvitations: Step = {
  name: 'invitations to teams',
  table: 'team_invite',
  run: async (rows, batch) => {
    const teams = await batch.existingOf('teams', rows, 'team_id');
    const users = await batch.existingOf('users', rows, 'inviter_id', 'org_id');
    const { invitationLifetime } = batch.context.settings.organizations;
    for (const row of rows) {
      const [team, organization, inviter] = [row.integer('team_id'), row.integer('org_id'), row.integer('inviter_id')];
      if (!teams.has(team) || !users.has(organization) || !users.has(inviter)) continue;
      const [email, token] = [row.line('email'), row.line('token')];
      if (emailFault(email) || !/^[0-9A-Za-z_-]{20,64}$/.test(token)) {
        batch.note(`invitation ${row.id}`, 'its address or its link is of no kind that is used here: invite again');
        continue;
      }
      batch.add('team_invitations', {
        id: row.id,
        organization_id: organization,
        team_id: team,
        inviter_id: inviter,
        email,
        lower_email: email.toLowerCase(),
        token_hash: hashRandomValue(token),
        created_at: row.time('created_unix'),
        expires_at: now() + Math.ceil(invitationLifetime / 1000),
      });
    }
  },
};

export const teamRepositories: Step = {
  name: 'repositories of teams',
  table: 'team_repo',
  run: async (rows, batch) => {
    const teams = await batch.existingOf('teams', rows, 'team_id');
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    for (const row of rows) {
      const [team, organization, repository] = [row.integer('team_id'), row.integer('org_id'), row.integer('repo_id')];
      if (!teams.has(team) || !repositories.has(repository)) continue;
      batch.add('team_repositories', { team_id: team, organization_id: organization, repository_id: repository });
    }
  },
};

function levelOf(number: number): AccessLevel {
  return (number >= 0 && number <= 4 ? number : 0) as AccessLevel;
}
