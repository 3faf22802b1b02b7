import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of differences. */
export const diff: Catalogue['diff'] = {
  changedFiles: 'Geänderte Dateien',
  filesChanged: (number) => `${count(number, 'Datei', 'Dateien')} geändert`,
  changesOf: 'Änderungen von',
  added: 'Hinzugefügt',
  removed: 'Entfernt',
  modified: 'Geändert',
  renamed: 'Umbenannt',
  copied: 'Kopiert',
  retyped: 'Art geändert',
  submodule: 'Submodul',
  viewFile: 'Datei ansehen',
  moreContext: 'Mehr Zeilen',
  folded: 'Die Änderungen dieser Datei sind eingeklappt, weil sie groß, erzeugt oder schon angesehen ist.',
  showFolded: 'Anzeigen',
  binary: 'Eine Binärdatei.',
  onlyRenamed: 'Umbenannt ohne Änderungen.',
  noLines: 'Keine Zeilen wurden geändert.',
  truncated: 'Weitere Zeilen werden nicht gezeigt.',
  moreFiles: (number) => `${count(number, 'weitere Datei wird', 'weitere Dateien werden')} nicht gezeigt.`,
  noNewline: 'Kein Zeilenumbruch am Ende der Datei',
  sideBySide: 'Nebeneinander',
  swipe: 'Schieben',
  onionSkin: 'Durchscheinend',
  imageMode: 'Wie die Bilder verglichen werden',
  blend: 'Wie viel vom neuen Bild zu sehen ist',
  before: 'Vorher',
  after: 'Nachher',
  nothing: 'Es gibt keine Unterschiede.',
  allFiles: 'Alle Dateien',
  unified: 'Untereinander',
  split: 'Nebeneinander',
  whitespace: 'Leerraum',
  showWhitespace: 'Alle Änderungen zeigen',
  ignoreAll: 'Leerraum ignorieren',
  ignoreChange: 'Änderungen der Menge ignorieren',
  ignoreEol: 'Am Zeilenende ignorieren',
};
