import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the blame pages. */
export const blame = {
  ignoring: (number: number) => `.git-blame-ignore-revs names ${count(number, 'commit', 'commits')} to look through.`,
  bypass: 'Show them',
  ignore: 'Look through them',
  before: 'Blame before this change',
  tooLong: 'Going through the history of this file takes too long.',
};
