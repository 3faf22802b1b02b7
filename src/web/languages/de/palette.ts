import type { Catalogue } from '../en/catalogue.ts';

/** Texts of the palette and the list of keys. */
export const palette: Catalogue['palette'] = {
  open: 'Springen zu…',
  placeholder: 'Ein Repository, ein Issue, eine Seite…',
  results: 'Ziele',
  nothing: 'Nichts gefunden',
  found: 'gefunden',
  shortcuts: 'Tastenkürzel',
  onThisPage: 'Auf dieser Seite',
  close: 'Schließen',
  keys: {
    'Ctrl K': 'Zu einem Repository, einem Issue oder einer Seite springen',
    '/': 'Suchen',
    '?': 'Diese Tasten zeigen',
    j: 'Nächste Zeile einer Liste oder nächste Änderung',
    k: 'Zeile oder Änderung davor',
    o: 'Zeile öffnen',
    'Ctrl Enter': 'Formular abschicken',
    Escape: 'Menü schließen',
  },
};
