/** Texts of the public access of a repository. */
export const publicAccess = {
  hint: 'Units can be visible to more people than the repository itself, such as the issues of a private repository.',
  notSetHint: 'Same as the repository: everyone who can see the repository can see the unit.',
  anonymousHint: 'Everyone can read: including visitors who are not signed in.',
  everyoneHint: 'All users can read: everyone who is signed in.',
  writeHint: 'All users can write: only possible for the wiki.',
  access: {
    'not-set': 'Same as the repository',
    'anonymous-read': 'Everyone can read',
    'everyone-read': 'All users can read',
    'everyone-write': 'All users can write',
  },
  forcePrivate: 'All repositories of this instance are private, so units cannot be public.',
};
