/** Texte zu Einladungen in Teams per Mail. */
export const invitations = {
  title: (organization: string) => `Einladung zu ${organization}`,
  invites: (inviter: string, team: string, organization: string) => `${inviter} lädt dich in das Team ${team} von ${organization} ein.`,
  join: 'Dem Team beitreten',
  signInFirst: 'Melde dich an, um beizutreten, oder lege zuerst ein Konto an.',
  open: 'Per Mail eingeladen',
  invited: 'eingeladen',
  goodUntil: 'gültig bis',
  withdraw: 'Zurückziehen',
  withdrawNamed: (email: string) => `Die Einladung von ${email} zurückziehen`,
  inviteByMail: 'Per Mail einladen',
  invite: 'Einladung senden',
  hint: 'Auch für Menschen ohne Konto. Sie bekommen einen Link, der einmal gilt.',
};
