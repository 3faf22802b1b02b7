import type { Catalogue } from '../en/catalogue.ts';

/** Texts of what changes on open pages; `{n}` is a number that the script fills in. */
export const live: Catalogue['live'] = {
  newComment: '1 neuer Kommentar, anzeigen',
  newComments: '{n} neue Kommentare, anzeigen',
};
