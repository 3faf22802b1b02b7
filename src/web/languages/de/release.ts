import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the forms of releases and tags. */
export const release: Catalogue['release'] = {
  newRelease: 'Neues Release',
  editRelease: 'Release bearbeiten',
  deleteRelease: 'Release löschen',
  deleteHint: 'Seine Notizen und Dateien werden endgültig gelöscht. Der Tag bleibt.',
  deleteTag: 'Tag löschen',
  actionsOf: (name) => `Was mit ${name} getan werden kann`,
  tag: 'Tag',
  tagHint: 'Ein vorhandener Tag oder ein neuer, der beim Veröffentlichen angelegt wird.',
  tagExists: (name) => `Den Tag ${name} gibt es schon.`,
  target: 'Branch oder Commit eines neuen Tags',
  title: 'Titel',
  notes: 'Notizen',
  previousTag: 'Notizen seit',
  latestBefore: 'Das Release davor',
  generateNotes: 'Notizen erzeugen',
  generateHint: 'Listet die seither gemergten Pull-Requests und wer sie gemacht hat, unter dem, was unten steht.',
  tagMessage: 'Titel und Notizen als Nachricht eines neuen Tags verwenden',
  isPrerelease: 'Das ist eine Vorabversion',
  prereleaseHint: 'Sie ist noch nicht für alle gedacht und wird nie als neueste gezeigt.',
  publish: 'Release veröffentlichen',
  saveDraft: 'Entwurf speichern',
  tagOnly: 'Nur den Tag anlegen',
  files: 'Dateien',
  addFiles: 'Dateien hinzufügen',
  filesHint: (files, size) => `Höchstens ${count(files, 'Datei', 'Dateien')} auf einmal, mit je ${size}.`,
  nameOf: (name) => `Name von ${name}`,
  deleteOf: (name) => `${name} löschen`,
};
