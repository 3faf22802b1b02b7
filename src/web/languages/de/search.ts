import { counted } from '../plural.ts';

const count = counted('de');

/** Texte der Suche im Code. */
export const search = {
  code: 'Code',
  searchCode: 'Code durchsuchen',
  inRepository: 'Dieses Repository durchsuchen',
  inCodeOf: (name: string) => `Code von ${name} durchsuchen`,
  what: 'Wörter, "eine Wortfolge" oder /ein Ausdruck/',
  mode: 'Art der Suche',
  modes: { words: 'Wörter', exact: 'Genauer Text', regexp: 'Ausdruck' },
  search: 'Suchen',
  files: (number: number) => count(number, 'Datei', 'Dateien'),
  filesAtLeast: (number: number) => `${count(number, 'Datei', 'Dateien')} oder mehr`,
  places: (number: number) => count(number, 'Stelle', 'Stellen'),
  moreInFile: 'Alle Zeilen dieser Datei',
  languages: 'Sprachen',
  allLanguages: 'Alle Sprachen',
  sort: 'Sortiert nach',
  sorts: { relevance: 'Relevanz', path: 'Pfad' },
  line: (number: string) => `Zeile ${number}`,
  vendored: 'Aus einem anderen Projekt',
  generated: 'Generiert',
  nothing: 'Es wurde nichts gefunden.',
  nothingHint: 'Durchsucht werden nur die Dateien des Standard-Branches. Versuche es mit weniger Wörtern, oder lass einen Filter weg.',
  incomplete:
    'Die Suche endete vorzeitig: Es kann mehr geben. Ergänze ein Wort mit mindestens drei Buchstaben, oder nenne ein Repository oder einen Pfad.',
  building: 'Der Code dieses Repositorys wird gerade indiziert. Schau gleich noch einmal vorbei.',
  behind: 'Ein neuer Commit wird gerade indiziert. Diese Treffer stammen aus dem vorherigen.',
  partial: 'Dieses Repository ist zu groß, um ganz indiziert zu werden: Einige Dateien werden nicht durchsucht.',
  pending: 'Einige Repositorys werden noch indiziert und sind noch nicht durchsucht.',
  help: 'Wonach du suchen kannst',
  helpWords: 'beide Wörter, irgendwo in einer Datei',
  helpPhrase: 'genau dieser Text',
  helpExpression: 'ein regulärer Ausdruck innerhalb einer Zeile',
  helpPath: 'Dateien, deren Pfad passt; -path: lässt sie weg',
  helpLanguage: 'Dateien einer Sprache; -language: lässt sie weg',
  helpRepository: 'ein Repository oder die eines Benutzers oder einer Organisation',
  helpCase: 'mit Groß- und Kleinschreibung',
};
