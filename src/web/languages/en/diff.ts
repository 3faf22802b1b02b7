import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of differences. */
export const diff = {
  changedFiles: 'Changed files',
  filesChanged: (number: number) => `${count(number, 'file', 'files')} changed`,
  changesOf: 'Changes of',
  added: 'Added',
  removed: 'Removed',
  modified: 'Modified',
  renamed: 'Renamed',
  copied: 'Copied',
  retyped: 'Type changed',
  submodule: 'Submodule',
  viewFile: 'View file',
  moreContext: 'More lines',
  folded: 'The changes of this file are folded, because it is large, generated or already viewed.',
  showFolded: 'Show them',
  binary: 'A binary file.',
  onlyRenamed: 'Renamed without changes.',
  noLines: 'No lines were changed.',
  truncated: 'Further lines are not shown.',
  moreFiles: (number: number) => `${count(number, 'further file is', 'further files are')} not shown.`,
  noNewline: 'No newline at the end of the file',
  before: 'Before',
  after: 'After',
  nothing: 'There are no differences.',
  allFiles: 'All files',
  unified: 'Unified',
  split: 'Split',
  whitespace: 'White space',
  showWhitespace: 'Show all changes',
  ignoreAll: 'Ignore white space',
  ignoreChange: 'Ignore changes of its amount',
  ignoreEol: 'Ignore it at the end of lines',
};
