import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of the history of descriptions and comments. */
export const history = {
  edited: 'edited',
  showHistory: 'Show earlier versions',
  created: 'wrote this',
  changed: 'edited this',
  deleted: 'deleted version',
  all: (number: number) => `All ${number} versions`,
  ofDescription: 'History of the description',
  ofComment: (name: string) => `History of a comment by ${name}`,
  description: 'Description',
  comment: (name: string) => `Comment by ${name}`,
  versions: (number: number) => count(number, 'version', 'versions'),
  lastEdited: 'last edited',
  editedTexts: 'Edited texts',
  noneEdited: 'No text of this conversation has earlier versions.',
  notEdited: 'This text has no earlier versions.',
  showText: 'Show in the conversation',
  older: 'Older',
  newer: 'Newer',
  changes: 'What changed',
  whole: 'The whole text of this version',
  empty: 'The text was empty.',
  textDeleted: 'The text of this version was deleted.',
  nothingDiffers: 'There are no visible changes from the previous version.',
  tooLarge: 'The text is too large to be compared with the previous version.',
  sameLines: (number: number) => count(number, 'unchanged line', 'unchanged lines'),
  delete: 'Delete this version',
  deleteWarning: 'Permanently deletes the text of this version. Its author and time are kept.',
};
