import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the pages of branches and tags. */
export const refs = {
  filter: 'Find a branch',
  defaultBranch: 'Default branch',
  otherBranches: (number: number) => count(number, 'other branch', 'other branches'),
  noOtherBranches: 'There are no other branches.',
  noneFound: 'No branch has this in its name.',
  newBranch: 'New branch',
  newName: 'Name of the branch',
  from: 'From (branch, tag or commit)',
  createBranch: 'Create branch',
  protected: 'Protected',
  apart: (ahead: number, behind: number) => `${count(ahead, 'commit', 'commits')} ahead of the default branch, ${behind} behind`,
  actionsOf: (name: string) => `Rename or delete ${name}`,
  renameTo: 'New name',
  rename: 'Rename',
  deleteBranch: 'Delete branch',
  noTags: 'There are no tags.',
};
