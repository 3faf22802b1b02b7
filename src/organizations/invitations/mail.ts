import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team, TeamInvitation } from '../../database/tables/organizations.ts';
import { queueMail } from '../../mail/mail.ts';

/** An invitation with its link. */
export interface OpenInvitation {
  readonly invitation: TeamInvitation;
  readonly organization: User;
  readonly team: Team;
  readonly inviter: User;
}

/** Sends the link of an invitation. */
export async function mailInvitation(
  context: Context,
  { invitation, organization, team, inviter }: OpenInvitation,
  token: string,
): Promise<void> {
  const { server, instance } = context.settings;
  const by = inviter.full_name || inviter.name;
  const until = new Date(invitation.expires_at * 1000).toUTCString();
  await queueMail(context, {
    to: invitation.email,
    subject: `${by} invites you to ${organization.full_name || organization.name}`,
    text: `Hello,

${by} (${inviter.name}) invites you to the team ${team.name} of ${organization.name} on ${instance.name}. Open this link to join:

${server.rootUrl}org/invite/${token}

The link is good once, until ${until}. This mail was meant for ${invitation.email}. If you do not expect it, nothing needs to be done.
`,
  });
}
