import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the pages of commits, histories and comparisons. */
export const commits = {
  verified: 'Verified',
  unverified: 'Unverified',
  success: 'All checks have passed',
  pending: 'Checks are pending',
  failure: 'Some checks have failed',
  checks: (number: number) => count(number, 'check', 'checks'),
  copyId: 'Copy commit ID',
  browse: 'Browse files',
  authored: 'authored',
  committed: 'committed',
  parents: (number: number): string => (number === 1 ? 'Parent' : 'Parents'),
  historyOf: (path: string) => `History of ${path}`,
  search: 'Words, author:name, after:2026-01-31',
  notes: 'Notes',
  signedBy: 'signed by',
  searchLabel: 'Search commits',
  onDay: (day: string) => `Commits on ${day}`,
  onNoDay: 'Commits without a date',
  none: 'There are no commits.',
  noneFound: 'No commit matches the search.',
  renamedFrom: 'Renamed from',
  olderName: 'History of the previous name',
  compare: 'Compare',
  base: 'Base',
  head: 'Head',
  compareTitle: 'Compare changes',
  compareHint: 'A branch, tag or commit; of a fork with its owner before it, such as owner:branch.',
  newPull: 'New pull request',
  nothingAhead: (base: string, head: string) => `${base} already has all commits of ${head}.`,
  listed: (shown: number, total: number) => `The newest ${shown} of ${total} commits`,
};
