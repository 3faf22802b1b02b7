import { html } from '../../html.ts';
import type { Catalogue } from '../en/catalogue.ts';
import { counted } from '../plural.ts';

const count = counted('de');

/** Texts of reviewing: lines, suggestions, viewed files, ranges of commits. */
export const reviewing: Catalogue['reviewing'] = {
  viewed: 'Gesehen',
  markViewed: 'Als gesehen markieren',
  viewedCount: (viewed, all) => `${viewed} / ${all} gesehen`,
  changedSince: 'Geändert, seit du sie gesehen hast',
  range: 'Commits',
  allChanges: 'Alle Änderungen',
  sinceReview: 'Änderungen seit meiner letzten Begutachtung',
  partOnly: 'Das sind nicht alle Änderungen des Pull-Requests.',
  from: 'Nach',
  to: 'Bis',
  base: 'Die Basis',
  showRange: 'Anzeigen',
  outdatedComments: (number) => count(number, 'veralteter Kommentar', 'veraltete Kommentare'),
  hiddenComments: (number) =>
    count(number, 'Kommentar zu Zeilen, die nicht gezeigt werden', 'Kommentare zu Zeilen, die nicht gezeigt werden'),
  lines: (first, last) => `Zeilen ${first} bis ${last}`,
  oldLine: 'vor der Änderung',
  writtenFor: 'Geschrieben zu Commit',
  reply: 'Antworten',
  sendReply: 'Antwort senden',
  edit: 'Bearbeiten',
  deleteComment: 'Löschen',
  suggestion: 'Vorgeschlagene Änderung',
  removesLines: 'Dieser Vorschlag entfernt die Zeilen.',
  insertSuggestion: 'Änderung vorschlagen',
  commitSuggestion: 'Vorschlag übernehmen',
  chooseSuggestion: 'Für einen gemeinsamen Commit auswählen',
  batch: 'Mehrere Vorschläge auf einmal übernehmen',
  batchHint: 'Wähle oben Vorschläge aus; sie werden ein Commit, ihre Urheber sind Mitautoren.',
  commitMessage: 'Nachricht des Commits',
  commitChosen: 'Ausgewählte Vorschläge übernehmen',
  noneChosen: 'Wähle erst einen Vorschlag aus.',
  dismiss: 'Begutachtung verwerfen',
  dismissReason: 'Warum',
  dismissedBecause: (reason) => html`hat eine Begutachtung verworfen: ${reason}`,
  pendingReview: (number) =>
    count(number, 'Kommentar deiner Begutachtung ist noch nicht abgegeben.', 'Kommentare deiner Begutachtung sind noch nicht abgegeben.'),
  finishReview: 'Begutachtung abschließen',
  reviewers: 'Begutachtung',
  noReviewers: 'Niemand ist um eine Begutachtung gebeten.',
  states: {
    approve: 'Gutgeheißen',
    reject: 'Wünscht Änderungen',
    comment: 'Hat kommentiert',
    request: 'Um Begutachtung gebeten',
  },
  official: 'Zählt zu den Zustimmungen, die der Branch verlangt',
  requestAgain: 'Erneut bitten',
  takeBack: 'Bitte zurücknehmen',
  teams: 'Teams',
  codeOwners: 'Zuständige für den Code',
  pushed: (commits) => `hat ${commits} hinzugefügt`,
  commits: (number) => count(number, 'Commit', 'Commits'),
  forcePushed: (from, to) => html`hat den Branch mit Force-Push von ${from} auf ${to} gesetzt`,
  compare: 'Vergleichen',
};
