import type { CodeComment } from '../../../pulls/reviews/present.ts';
import { type CommentPart, commentParts } from '../../../pulls/suggestions/parse.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { markRanges } from '../../code/diff/mark.ts';
import { changedWords } from '../../code/diff/words.ts';
import { actionButton, field, postForm } from '../../components/form.ts';
import { Html, html } from '../../html.ts';
import { icon } from '../../view.ts';
import type { ThreadSource } from './source.ts';

/** The form that boxes of suggestions belong to. */
const BATCH = 'suggestion-batch';
/** Lines of a suggestion that are shown. */
const MAX_SHOWN = 400;

type Suggestion = Extract<CommentPart, { kind: 'suggestion' }>;

/** Whether suggestions of a comment can be committed now: its lines are those of the head, and it is submitted. */
export function isApplicable({ pull, mayApply }: ThreadSource, comment: CodeComment, isPending: boolean): boolean {
  const isCurrent = comment.line > 0 && comment.current_line !== null && comment.anchor_id === pull.head_id;
  return mayApply && !isPending && isCurrent && !pull.issue.is_closed;
}

/** Whether some suggestion can be committed. */
export function hasSuggestions(source: ThreadSource): boolean {
  return source.reviews.some(({ review, comments }) =>
    comments.some(
      (comment) =>
        isApplicable(source, comment, review.type === 'pending') && commentParts(comment.body).some(({ kind }) => kind === 'suggestion'),
    ),
  );
}

/** A suggestion as a small diff, with the button that commits it. */
export function suggestionView(source: ThreadSource, comment: CodeComment, suggestion: Suggestion, isPending: boolean): Html {
  const { view } = source.conversation.visit;
  const { reviewing: text } = view.text;
  const { lines } = suggestion;
  const id = `${comment.id}:${suggestion.index}`;
  const isOutdated = comment.line > 0 && comment.current_line === null;
  const buttons =
    isApplicable(source, comment, isPending) &&
    html`<div class="buttons">${actionButton(view, { action: source.conversation.path, label: html`${icon(view, 'git-commit')} ${text.commitSuggestion}`, fields: { do: 'apply-suggestions', suggestion: id, back: source.back } })}
<label class="choice"><input type="checkbox" name="suggestion" value="${id}" form="${BATCH}"> ${text.chooseSuggestion}</label></div>`;
  return html`<div class="suggestion"><p class="suggestion-head">${icon(view, 'diff')} ${text.suggestion}${isOutdated && html` <span class="badge">${view.text.pulls.stale}</span>`}</p>
<table class="diff" aria-label="${text.suggestion}"><tbody>${difference(oldLines(comment), lines)}</tbody></table>
${lines.length === 0 && html`<p class="muted">${text.removesLines}</p>`}${buttons}</div>`;
}

/** The form that commits all ticked suggestions together. */
export function batchForm({ conversation, back }: ThreadSource): Html {
  const { view } = conversation.visit;
  const { reviewing: text } = view.text;
  const fields = html`<input type="hidden" name="do" value="apply-suggestions"><input type="hidden" name="back" value="${back}">
<p class="hint">${text.batchHint}</p>${field({ name: 'commit_message', label: text.commitMessage, value: '', maxLength: 500 })}
<button>${icon(view, 'git-commit')} ${text.commitChosen}</button>`;
  return html`<details class="box batch" id="batch"><summary>${text.batch}</summary><div class="content">${postForm(view, fields, { action: conversation.path, id: BATCH })}</div></details>`;
}

/** The lines of the comment, from the hunk stored with it. */
function oldLines({ diff_hunk: hunk, line, line_count: count }: CodeComment): string[] {
  if (line <= 0) return [];
  const lines = hunk.trimEnd() === '' ? [] : hunk.replace(/\n$/, '').split('\n');
  const shown = lines.filter((one) => one.startsWith('+') || one.startsWith(' ')).map((one) => one.slice(1).replace(/\r$/, ''));
  return shown.slice(-count);
}

function difference(before: readonly string[], after: readonly string[]): Html {
  const marks = before.map((line, at) => changedWords(line, after[at] ?? ''));
  const row = (kind: 'added' | 'removed', line: string, at: number) => {
    const ranges = at < Math.min(before.length, after.length) ? (marks[at]?.[kind] ?? []) : [];
    const code = new Html(markRanges(escapeHtml(line), ranges));
    return html`<tr class="${kind}"><td class="s">${kind === 'added' ? '+' : '-'}</td><td class="c"><code>${code}</code></td></tr>`;
  };
  return html`${before.slice(0, MAX_SHOWN).map((line, at) => row('removed', line, at))}${after.slice(0, MAX_SHOWN).map((line, at) => row('added', line, at))}`;
}
