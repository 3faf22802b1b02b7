import type { SchemaMigration } from './schema-kit.ts';

/** Whom organizations have invited to their teams by mail. */
export const teamInvitations: SchemaMigration = {
  name: '0506-team-invitations',
  phase: 'expand',
  async up(kit) {
    await kit.table('team_invitations', {
      id: 'id',
      organization_id: 'ref:users',
      team_id: 'ref:teams',
      inviter_id: 'ref:users',
      email: 'text',
      lower_email: 'text',
      token_hash: 'text',
      created_at: 'time',
      expires_at: 'time',
    });
    await kit.index('team_invitations', ['team_id', 'lower_email'], { unique: true });
    await kit.index('team_invitations', ['token_hash'], { unique: true });
    await kit.index('team_invitations', ['organization_id']);
    await kit.index('team_invitations', ['inviter_id']);
  },
};
