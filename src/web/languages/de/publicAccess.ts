/** Texte zu dem, was ein Repository für alle öffnet. */
export const publicAccess = {
  hint: 'Einzelne Bereiche können mehr Menschen offenstehen als das Repository selbst, etwa die Issues eines privaten.',
  notSetHint: 'Wie das Repository: Den Bereich sieht, wer das Repository sieht.',
  anonymousHint: 'Alle lesen: auch wer nicht angemeldet ist.',
  everyoneHint: 'Alle Benutzer lesen: alle, die angemeldet sind.',
  writeHint: 'Alle Benutzer schreiben: So weit kann nur das Wiki offenstehen.',
  access: {
    'not-set': 'Wie das Repository',
    'anonymous-read': 'Alle lesen',
    'everyone-read': 'Alle Benutzer lesen',
    'everyone-write': 'Alle Benutzer schreiben',
  },
  forcePrivate: 'Alle Repositories dieser Instanz sind privat. Kein Bereich kann offenstehen.',
};
