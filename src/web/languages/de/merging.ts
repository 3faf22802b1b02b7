import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of the box in which pull requests are merged, and of their conflicts. */
export const merging: Catalogue['merging'] = {
  blocked: 'Die Regeln des Branches lassen das Übernehmen noch nicht zu:',
  approvals: (given, required) => `${given} von ${count(required, 'nötigen Zustimmung', 'nötigen Zustimmungen')}`,
  checksMissing: (names) => `Verlangte Prüfungen haben sich noch nicht gemeldet: ${names}`,
  checksOpen: (names) => `Verlangte Prüfungen sind nicht bestanden: ${names}`,
  checksNone: 'Noch keine Prüfung hat sich gemeldet, und der Branch verlangt, dass alle bestehen.',
  rejected: 'Eine Begutachtung, die zählt, wünscht Änderungen.',
  requests: 'Um eine Begutachtung, die zählt, ist gebeten; sie steht noch aus.',
  outdated: 'Der Kopf muss zuerst auf den Stand der Basis gebracht werden.',
  protectedFiles: 'Dateien sind geändert, die der Branch schützt:',
  otherwise: 'Er kann jetzt nicht übernommen werden:',
  draft: 'Dies ist ein Entwurf. Er kann erst übernommen werden, wenn er als fertig markiert ist.',
  conflicts: 'In diesen Dateien gibt es Konflikte:',
  resolve: 'Konflikte lösen',
  manual: {
    name: 'Als von Hand übernommen markieren',
    commit: 'Commit, der ihn übernommen hat',
    hint: 'Die vollständige ID eines Commits des Basis-Branches.',
  },
  deleteBranch: 'Branch löschen',
  restoreBranch: 'Branch wiederherstellen',
  revert: 'Rückgängig machen',
  revertHint: 'Legt einen Branch an, der diese Änderungen zurücknimmt, und öffnet einen Pull-Request davon.',
  cherryPick: 'Cherry-Pick',
  mergedAs: 'Übernommen als',
  mergedBy: 'von',
  target: 'Ziel-Branch',
  changeTarget: 'Ziel-Branch ändern',
  maintainers: 'Maintainer dürfen in den Branch dieses Pull-Requests pushen',
  maintainerEdits: 'Änderungen durch Maintainer',
  allowed: 'Erlaubt',
  notAllowed: 'Nicht erlaubt',
  live: 'Das folgt den Prüfungen von selbst.',
  reopenHint: 'Öffne ihn mit dem Knopf unter dem Kommentar wieder.',
  conflictsTitle: 'Konflikte lösen',
  conflictsHint: (base, head) =>
    `Beide Branches haben diese Zeilen geändert. Wähle, was bleibt, und entferne die Zeilen mit Markierungen; dann wird ${base} in ${head} übernommen.`,
  conflictMarkers: 'Die Teile zwischen <<<<<<< und ======= sind die des Kopfes, die bis >>>>>>> die der Basis.',
  noConflicts: 'Es gibt keine Konflikte.',
  notSimple: 'Diese Konflikte lassen sich nicht im Browser lösen, weil eine Datei gelöscht, verschoben, binär oder zu groß ist:',
  onYourMachine: 'Löse sie auf deinem Rechner:',
  mayNotPush: 'Du darfst nicht in den Branch dieses Pull-Requests pushen.',
  commitMerge: 'Merge committen',
  keepHead: 'Zeilen des Kopfes nehmen',
  keepBase: 'Zeilen der Basis nehmen',
  keepBoth: 'Beide nehmen',
};
