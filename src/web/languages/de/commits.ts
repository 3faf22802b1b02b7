import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the pages of commits, histories and comparisons. */
export const commits: Catalogue['commits'] = {
  verified: 'Verifiziert',
  unverified: 'Nicht verifiziert',
  success: 'Alle Prüfungen waren erfolgreich',
  pending: 'Prüfungen stehen aus',
  failure: 'Einige Prüfungen sind fehlgeschlagen',
  checks: (number) => count(number, 'Prüfung', 'Prüfungen'),
  copyId: 'ID des Commits kopieren',
  browse: 'Dateien ansehen',
  authored: 'hat geschrieben',
  committed: 'hat eingetragen',
  parents: () => 'Vorgänger',
  historyOf: (path) => `Verlauf von ${path}`,
  search: 'Wörter, author:Name, after:2026-01-31',
  notes: 'Notizen',
  signedBy: 'signiert von',
  searchLabel: 'Commits durchsuchen',
  onDay: (day) => `Commits vom ${day}`,
  onNoDay: 'Commits ohne Tag',
  none: 'Es gibt keine Commits.',
  noneFound: 'Kein Commit passt zur Suche.',
  renamedFrom: 'Umbenannt von',
  olderName: 'Der Verlauf des früheren Namens',
  compare: 'Vergleichen',
  base: 'Basis',
  head: 'Kopf',
  compareTitle: 'Änderungen vergleichen',
  compareHint: 'Ein Branch, Tag oder Commit; aus einem Fork mit dem Besitzer davor, etwa besitzer:branch.',
  newPull: 'Neuer Pull Request',
  nothingAhead: (base, head) => `${head} hat keine Commits, die ${base} nicht hat.`,
  listed: (shown, total) => `Die neuesten ${shown} von ${total} Commits`,
};
