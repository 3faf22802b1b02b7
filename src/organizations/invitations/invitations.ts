import { findTeam, isOrganizationOwner } from '../../access/find-organization.ts';
import { findUserById } from '../../access/find-user.ts';
import { checkEmail } from '../../accounts/names.ts';
import { hashRandomValue, newRandomValue } from '../../accounts/oauth2/client-secrets.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team, TeamInvitation } from '../../database/tables/organizations.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { lockTeam } from '../lock.ts';
import { addTeamMember } from '../teams/members.ts';
import { countInvitation } from './daily-limit.ts';
import { mailInvitation, type OpenInvitation } from './mail.ts';

/** Maximum number of open invitations of an organization. */
export const MAX_INVITATIONS = 100;

/**
 * Invites the owner of an e-mail address to a team. They get a mail with a link that is valid once, and for some days.
 * @throws HttpError 422 for an address that is invalid or invited already, beyond the limits of open and of daily invitations, and if mail
 * is disabled
 */
export async function inviteToTeam(context: Context, organization: User, team: Team, inviter: User, email: string): Promise<void> {
  if (!context.settings.mail.enabled) throw unprocessable('the instance sends no mails');
  checkEmail(email);
  const token = newRandomValue();
  await inTransaction(context, async (context) => {
    const { db, settings } = context;
    await lockTeam(db, team);
    await db.deleteFrom('team_invitations').where('organization_id', '=', organization.id).where('expires_at', '<=', now()).execute();
    const { total } = await db
      .selectFrom('team_invitations')
      .select((select) => select.fn.countAll<number>().as('total'))
      .where('organization_id', '=', organization.id)
      .executeTakeFirstOrThrow();
    if (Number(total) >= MAX_INVITATIONS) throw unprocessable(`an organization has at most ${MAX_INVITATIONS} open invitations`);
    const time = now();
    const invitation = await db
      .insertInto('team_invitations')
      .values({
        organization_id: organization.id,
        team_id: team.id,
        inviter_id: inviter.id,
        email,
        lower_email: email.toLowerCase(),
        token_hash: hashRandomValue(token),
        created_at: time,
        expires_at: time + Math.ceil(settings.organizations.invitationLifetime / 1000),
      })
      .onConflict((conflict) => conflict.columns(['team_id', 'lower_email']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!invitation) throw unprocessable(`[email]: ${email} is invited already`);
    await countInvitation(context, inviter.id, email);
    await mailInvitation(context, { invitation, organization, team, inviter }, token);
  });
}

/** The open invitations to a team, oldest first. */
export function listInvitations({ db }: Pick<Context, 'db'>, team: Team): Promise<TeamInvitation[]> {
  return db
    .selectFrom('team_invitations')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('expires_at', '>', now())
    .orderBy('id')
    .limit(MAX_INVITATIONS)
    .execute();
}

/**
 * Withdraws an invitation: its link becomes invalid.
 * @throws HttpError 404
 */
export async function withdrawInvitation(context: Context, team: Team, id: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const withdrawn = await db.deleteFrom('team_invitations').where('id', '=', id).where('team_id', '=', team.id).executeTakeFirst();
    if (withdrawn.numDeletedRows === 0n) throw notFound();
  });
}

/**
 * The invitation of a link. It ends when its inviter loses the right to manage the teams.
 * @throws HttpError 404
 */
export async function findInvitation({ db }: Pick<Context, 'db'>, token: string): Promise<OpenInvitation> {
  const invitation = await db
    .selectFrom('team_invitations')
    .selectAll()
    .where('token_hash', '=', hashRandomValue(token))
    .where('expires_at', '>', now())
    .executeTakeFirst();
  const found = invitation && (await findTeam(db, invitation.team_id));
  const inviter = invitation && (await findUserById(db, invitation.inviter_id));
  if (!invitation || !found || !inviter || !(await decides(db, inviter, invitation.organization_id))) throw notFound();
  return { invitation, ...found, inviter };
}

async function decides(db: Db, inviter: User, organizationId: number): Promise<boolean> {
  if (!inviter.is_active || inviter.prohibit_login) return false;
  return inviter.is_admin || (await isOrganizationOwner(db, organizationId, inviter.id));
}

/**
 * Adds a user to the team of an invitation, whose link becomes invalid. Anybody with the link can use it: people have further e-mail addresses.
 * @throws HttpError 404 for an invalid link, 403 for a user whom the organization has blocked
 */
export async function acceptInvitation(context: Context, token: string, user: User): Promise<OpenInvitation> {
  return inTransaction(context, async (context) => {
    const found = await findInvitation(context, token);
    const used = await context.db.deleteFrom('team_invitations').where('id', '=', found.invitation.id).executeTakeFirst();
    if (used.numDeletedRows === 0n) throw notFound();
    await addTeamMember(context, found.team, user);
    return found;
  });
}
