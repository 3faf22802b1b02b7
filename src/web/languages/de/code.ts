import type { Catalogue } from '../en/catalogue.ts';

/** Texts of the pages of files, folders, branches and commits. */
export const code: Catalogue['code'] = {
  files: 'Dateien',
  name: 'Name',
  lastCommit: 'Letzter Commit',
  changed: 'Geändert',
  parentFolder: 'Übergeordneter Ordner',
  noMessage: 'Keine Commit-Nachricht',
  history: 'Verlauf',
  path: 'Pfad',
  branch: 'Branch',
  tag: 'Tag',
  commit: 'Commit',
  branches: 'Branches',
  tags: 'Tags',
  allBranches: (number) => `Alle Branches (${number})`,
  allTags: (number) => `Alle Tags (${number})`,
  about: 'Über dieses Repository',
  noDescription: 'Keine Beschreibung',
  languages: 'Sprachen',
  raw: 'Rohdaten',
  notShown: 'Diese Datei ist binär oder zu groß, um gezeigt zu werden.',
  emptyTitle: 'Dieses Repository ist leer',
  emptyNew: 'Ein neues Repository auf der Kommandozeile anlegen',
  emptyExisting: 'Ein vorhandenes Repository von der Kommandozeile pushen',
  emptyMirror: 'Alle Branches und Tags eines anderen Repositorys pushen',
};
