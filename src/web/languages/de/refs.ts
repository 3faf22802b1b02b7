import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the pages of branches and tags. */
export const refs: Catalogue['refs'] = {
  filter: 'Branch suchen',
  defaultBranch: 'Standardbranch',
  otherBranches: (number) => count(number, 'weiterer Branch', 'weitere Branches'),
  noOtherBranches: 'Es gibt keine weiteren Branches.',
  noneFound: 'Kein Branch hat dies im Namen.',
  newBranch: 'Neuer Branch',
  newName: 'Name des Branches',
  from: 'Ausgehend von (Branch, Tag oder Commit)',
  createBranch: 'Branch anlegen',
  protected: 'Geschützt',
  apart: (ahead, behind) => `${count(ahead, 'Commit', 'Commits')} vor dem Standardbranch, ${behind} dahinter`,
  actionsOf: (name) => `${name} umbenennen oder löschen`,
  renameTo: 'Neuer Name',
  rename: 'Umbenennen',
  deleteBranch: 'Branch löschen',
  noTags: 'Es gibt keine Tags.',
};
