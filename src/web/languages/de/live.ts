import type { Catalogue } from '../en/catalogue.ts';

/** Texts of live updates; the script replaces `{n}` by a number. */
export const live: Catalogue['live'] = {
  newComment: '1 neuer Kommentar, anzeigen',
  newComments: '{n} neue Kommentare, anzeigen',
};
