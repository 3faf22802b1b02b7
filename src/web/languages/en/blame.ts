import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the blame pages. */
export const blame = {
  ignoring: (number: number) => `.git-blame-ignore-revs hides ${count(number, 'commit', 'commits')}.`,
  bypass: 'Show them',
  ignore: 'Hide them',
  before: 'Blame before this change',
  tooLong: 'The history of this file takes too long to read.',
};
