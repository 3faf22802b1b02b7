import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of wikis. */
export const wiki = {
  wiki: 'Wiki',
  pages: 'Seiten',
  newPage: 'Neue Seite',
  editPage: (title: string) => `${title} bearbeiten`,
  history: 'Verlauf',
  historyOf: (title: string) => `Verlauf von ${title}`,
  revisions: (number: number) => count(number, 'Änderung', 'Änderungen'),
  changed: 'Zuletzt geändert',
  empty: 'Dieses Wiki hat noch keine Seiten',
  emptyHint: 'Ein Wiki ist ein Ort für Anleitungen und Hintergründe, die gemeinsam geschrieben werden.',
  createFirst: 'Erste Seite schreiben',
  noSuchPage: 'Diese Seite gibt es nicht',
  noSuchPageHint: 'Diese Seite hat noch niemand geschrieben.',
  create: 'Diese Seite anlegen',
  noHome: 'Eine Seite Home gibt es noch nicht. Diese Seiten gibt es:',
  tooLarge: 'Diese Seite ist zu groß, um angezeigt zu werden.',
  revisionOf: (title: string) => `${title}, eine frühere Fassung`,
  whatChanged: 'Was geändert wurde',
  asItWas: 'So war die Seite',
  asItIs: 'Zur jetzigen Fassung',
  restore: 'Wiederherstellen',
  showRevision: 'Ansehen',
  raw: 'Quelltext',
  title: 'Titel',
  text: 'Text',
  message: 'Was sich geändert hat (freiwillig)',
  savePage: 'Seite speichern',
  deletePage: 'Diese Seite löschen',
  deleteHint: 'Die Seite wird aus dem Wiki entfernt. Ihr Verlauf bleibt im Git-Repository.',
  conflict:
    'Diese Seite wurde geändert, seit du begonnen hast, und nichts wurde gespeichert. Speichere noch einmal, um deinen Text zu behalten.',
  noTitle: 'Die Seite braucht einen Titel.',
  clone: 'Dieses Wiki klonen',
  sideBar: 'Seitenleiste',
  footer: 'Fußzeile',
  specialHint: 'Die Seiten _Sidebar und _Footer stehen neben und unter allen anderen.',
};
