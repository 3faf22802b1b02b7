import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the commit graph. */
export const graph: Catalogue['graph'] = {
  title: 'Commit-Graph',
  all: 'Alle Branches und Tags',
  refs: 'Branches und Tags',
  chosen: (number) => `${count(number, 'Ref', 'Refs')} gewählt`,
  other: 'Ein anderer Branch oder Tag',
  show: 'Anzeigen',
  hidePulls: 'Pull-Requests ausblenden',
  showPulls: 'Pull-Requests zeigen',
  mono: 'Eine Farbe',
  color: 'Farben',
  empty: 'Es gibt keine Commits.',
  cut: (number) => `Der Graph endet nach ${count(number, 'Commit', 'Commits')}.`,
  tooLong: 'Den Verlauf zu lesen dauert zu lange.',
};
