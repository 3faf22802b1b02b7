import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the views of files. */
export const source = {
  symbols: (number: number) => count(number, 'symbol', 'symbols'),
  symbolList: 'Symbols that this file defines',
  kinds: { function: 'f', type: 'T', constant: 'c' },
  valuesOf: (path: string) => `Values of ${path}`,
  tableCut: 'Only the first rows and columns are shown.',
  hidden: 'This file has characters that cannot be seen or that change the direction of text. It may mean something else than it seems to.',
  lookAlikes: 'This file has characters of other scripts that look like Latin letters or digits.',
  markHidden: 'Mark them',
  showPlain: 'Show the text as it is',
  goToLine: 'Go to line',
  lineExample: '10 or 10-20',
  lineMenu: 'What to do with these lines',
  copyLink: 'Copy permalink',
  blameLines: 'View blame',
  newIssue: 'Reference in a new issue',
};
