import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the views of files. */
export const source: Catalogue['source'] = {
  symbols: (number) => count(number, 'Symbol', 'Symbole'),
  symbolList: 'Symbole, die diese Datei definiert',
  kinds: { function: 'f', type: 'T', constant: 'k' },
  valuesOf: (path) => `Werte von ${path}`,
  tableCut: 'Nur die ersten Zeilen und Spalten werden gezeigt.',
  hidden:
    'Diese Datei hat Zeichen, die man nicht sieht oder die die Richtung von Text ändern. Sie kann etwas anderes bedeuten, als es scheint.',
  lookAlikes: 'Diese Datei hat Zeichen anderer Schriften, die wie lateinische Buchstaben oder Ziffern aussehen.',
  markHidden: 'Kennzeichnen',
  showPlain: 'Den Text zeigen, wie er ist',
  goToLine: 'Zur Zeile',
  lineExample: '10 oder 10-20',
  lineMenu: 'Was du mit diesen Zeilen tun kannst',
  copyLink: 'Permalink kopieren',
  blameLines: 'Herkunft ansehen',
  newIssue: 'In einem neuen Issue nennen',
};
