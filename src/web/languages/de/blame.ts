import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the blame pages. */
export const blame: Catalogue['blame'] = {
  ignoring: (number) => `.git-blame-ignore-revs nennt ${count(number, 'Commit', 'Commits')}, durch die hindurchgesehen wird.`,
  bypass: 'Diese zeigen',
  ignore: 'Hindurchsehen',
  before: 'Blame vor dieser Änderung',
  tooLong: 'Der Verlauf dieser Datei ist zu lang, um ihn in der Zeit durchzugehen.',
};
