import type { packageRules as english } from '../en/packageRules.ts';
import { counted } from '../plural.ts';

const count = counted('de');

export const packageRules: typeof english = {
  title: 'Aufräumregeln',
  hint: 'Eine Regel löscht einmal am Tag alte Versionen der Pakete eines Typs.',
  none: 'Es gibt keine Aufräumregeln.',
  add: 'Aufräumregel hinzufügen',
  edit: 'Aufräumregel',
  allRules: 'Alle Aufräumregeln',
  on: 'an',
  off: 'aus',
  preview: 'Vorschau',
  type: 'Typ der Pakete',
  enabled: 'Diese Regel anwenden',
  fullName: 'Muster gelten für Name/Version statt für die Version allein',
  keep: 'Versionen, die bleiben',
  keepCount: 'Neueste Versionen jedes Pakets',
  keepCountHint: 'So viele bleiben auf jeden Fall. Leer für keine.',
  keepPattern: 'Versionen, die passen',
  patternHint: 'Ein regulärer Ausdruck für die ganze Version, etwa v1\\..+',
  remove: 'Von den anderen: Versionen, die gehen',
  removeDays: 'Älter als so viele Tage',
  removeDaysHint: 'Leer für alle.',
  removePattern: 'Versionen, die passen',
  removePatternHint: 'Ein regulärer Ausdruck für die ganze Version. Leer für alle.',
  removeRule: 'Diese Regel löschen',
  keeps: (number: number) => `behält ${count(number, 'Version', 'Versionen')} jedes Pakets`,
  keepsMatching: (pattern: string) => `behält ${pattern}`,
  removesOlder: (days: number) => `löscht nach ${count(days, 'Tag', 'Tagen')}`,
  removesMatching: (pattern: string) => `löscht ${pattern}`,
  backToRule: (type: string) => `Die Regel für ${type}`,
  previewTitle: 'Was die Regel löscht',
  previewHint: (number: number) => `Jetzt angewandt löscht sie ${count(number, 'Version', 'Versionen')}.`,
  previewOff: 'Sie ist aus, also bleiben sie.',
  previewNone: 'Keine Version ginge.',
};
