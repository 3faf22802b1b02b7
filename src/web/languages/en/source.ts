import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the views of files. */
export const source = {
  symbols: (number: number) => count(number, 'symbol', 'symbols'),
  symbolList: 'Symbols that this file defines',
  kinds: { function: 'f', type: 'T', constant: 'c' },
  valuesOf: (path: string) => `Values of ${path}`,
  tableCut: 'Only the first rows and columns are shown.',
  hidden: 'This file contains hidden or bidirectional Unicode characters. It may be interpreted differently than it appears.',
  lookAlikes: 'This file contains characters of other scripts that look like Latin letters or digits.',
  markHidden: 'Highlight them',
  showPlain: 'Show without highlighting',
  goToLine: 'Go to line',
  lineExample: '10 or 10-20',
  lineMenu: 'Line actions',
  copyLink: 'Copy permalink',
  blameLines: 'View blame',
  newIssue: 'Reference in a new issue',
};
