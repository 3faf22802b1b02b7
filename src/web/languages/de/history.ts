import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the history of descriptions and comments. */
export const history: Catalogue['history'] = {
  edited: 'bearbeitet',
  showHistory: 'Frühere Fassungen zeigen',
  created: 'schrieb dies',
  changed: 'bearbeitete dies',
  deleted: 'gelöschte Fassung',
  all: (number: number) => `Alle ${number} Fassungen`,
  ofDescription: 'Verlauf der Beschreibung',
  ofComment: (name: string) => `Verlauf eines Kommentars von ${name}`,
  description: 'Beschreibung',
  comment: (name: string) => `Kommentar von ${name}`,
  versions: (number: number) => count(number, 'Fassung', 'Fassungen'),
  lastEdited: 'zuletzt bearbeitet',
  editedTexts: 'Bearbeitete Texte',
  noneEdited: 'Kein Text dieser Unterhaltung hat frühere Fassungen.',
  notEdited: 'Dieser Text hat keine früheren Fassungen.',
  showText: 'In der Unterhaltung zeigen',
  older: 'Älter',
  newer: 'Neuer',
  changes: 'Was sich geändert hat',
  whole: 'Der ganze Text dieser Fassung',
  empty: 'Der Text war leer.',
  textDeleted: 'Der Text dieser Fassung wurde gelöscht.',
  nothingDiffers: 'Nichts Sichtbares unterscheidet sich von der Fassung davor.',
  tooLarge: 'Der Text ist zu groß, um ihn mit der Fassung davor zu vergleichen.',
  sameLines: (number: number) => count(number, 'unveränderte Zeile', 'unveränderte Zeilen'),
  delete: 'Diese Fassung löschen',
  deleteWarning: 'Löscht den Text dieser Fassung endgültig. Wer ihn wann schrieb, bleibt stehen.',
};
