/** Texts of invitations to teams by mail. */
export const invitations = {
  title: (organization: string) => `Invitation to ${organization}`,
  invites: (inviter: string, team: string, organization: string) => `${inviter} invites you to the team ${team} of ${organization}.`,
  join: 'Join the team',
  signInFirst: 'Sign in to join, or create an account first.',
  open: 'Invited by mail',
  invited: 'invited',
  goodUntil: 'valid until',
  withdraw: 'Withdraw',
  withdrawNamed: (email: string) => `Withdraw the invitation of ${email}`,
  inviteByMail: 'Invite by mail',
  invite: 'Send an invitation',
  hint: 'Also for people without an account. They get a link that can be used once.',
};
