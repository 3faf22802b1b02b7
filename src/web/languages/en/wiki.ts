import { counted } from '../plural.ts';

const count = counted('en');

/** Texts of wikis. */
export const wiki = {
  wiki: 'Wiki',
  pages: 'Pages',
  newPage: 'New page',
  editPage: (title: string) => `Edit ${title}`,
  history: 'History',
  historyOf: (title: string) => `History of ${title}`,
  revisions: (number: number) => count(number, 'revision', 'revisions'),
  changed: 'Last changed',
  empty: 'This wiki has no pages yet',
  emptyHint: 'A wiki is a place for guides and background that people write together.',
  createFirst: 'Write the first page',
  noSuchPage: 'There is no such page',
  noSuchPageHint: 'Nobody has written this page yet.',
  create: 'Create this page',
  noHome: 'There is no page Home yet. These pages exist:',
  tooLarge: 'This page is too large to be shown.',
  raw: 'Raw text',
  title: 'Title',
  text: 'Text',
  message: 'What has changed (optional)',
  savePage: 'Save page',
  deletePage: 'Delete this page',
  deleteHint: 'The page is removed from the wiki. Its history stays in the Git repository.',
  conflict: 'Somebody has changed this page meanwhile. Copy your text, reload the page, and join both.',
  noTitle: 'The page needs a title.',
  clone: 'Clone this wiki',
  sideBar: 'Side bar',
  footer: 'Footer',
  specialHint: 'The pages _Sidebar and _Footer are shown beside and below all others.',
};
