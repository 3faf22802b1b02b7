import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the pages of branches, tags, releases, forks and go to file. */
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
  nobody: 'Bisher niemand.',
  noForks: 'Es gibt keine Forks.',
  forkTitle: 'Dieses Repository forken',
  forkOwner: 'Organisation',
  forkOwnerHint: 'Lassen Sie dies leer, wenn der Fork Ihnen gehören soll.',
  forkName: 'Name',
  forkNow: 'Fork anlegen',
  noOwner: 'Diese Organisation gibt es nicht.',
  goToFile: 'Zu einer Datei',
  partOfPath: 'Ein Teil des Pfades',
  noFile: 'Keine Datei hat dies im Pfad.',
  moreFiles: (number) => `Gezeigt werden die ersten ${number}.`,
  noReleases: 'Es gibt keine Releases.',
  draft: 'Entwurf',
  prerelease: 'Vorabversion',
  latest: 'Neueste',
  sourceCode: 'Quelltext',
};
