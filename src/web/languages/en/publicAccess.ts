/** Texts of the public access of a repository. */
export const publicAccess = {
  hint: 'Single units can be open to more people than the repository itself, such as the issues of a private one.',
  notSetHint: 'As the repository: those see the unit who see the repository.',
  anonymousHint: 'Everybody reads: also people who are not signed in.',
  everyoneHint: 'All users read: everybody who is signed in.',
  writeHint: 'All users write: only the wiki can be open so far.',
  access: {
    'not-set': 'As the repository',
    'anonymous-read': 'Everybody reads',
    'everyone-read': 'All users read',
    'everyone-write': 'All users write',
  },
  forcePrivate: 'All repositories of this instance are private. No unit can be open.',
};
