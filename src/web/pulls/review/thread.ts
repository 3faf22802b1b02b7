import type { CodeComment } from '../../../pulls/reviews/present.ts';
import { commentParts } from '../../../pulls/suggestions/parse.ts';
import { userLink } from '../../components/avatar.ts';
import { actionButton, postForm } from '../../components/form.ts';
import { menu } from '../../components/menu.ts';
import { timeAgo } from '../../components/numbers.ts';
import { type Html, html } from '../../html.ts';
import { editedMark } from '../../issues/history/menu.ts';
import { repositoryPath } from '../../repository/frame.ts';
import { icon } from '../../view.ts';
import type { ThreadSource } from './source.ts';
import { suggestionView } from './suggestion.ts';

/** How a thread is shown. */
interface ThreadOptions {
  /** Whether to show the hunk that it was written about. */
  readonly withCode: boolean;
  /** Nobody but its author sees it yet. */
  readonly isPending: boolean;
}

/** Comments on the same lines, below their hunk. */
export async function codeThread(source: ThreadSource, thread: readonly CodeComment[], options: ThreadOptions): Promise<Html> {
  const { view } = source.conversation.visit;
  const { pulls: text } = view.text;
  const [first] = thread;
  if (!first) return html``;
  const isResolved = first.resolver_id !== null;
  const comments = await Promise.all(thread.map((comment) => threadComment(source, comment, options)));
  const isOutdated = first.current_line === null && first.line !== 0;
  const head = html`<span class="mono">${first.path}</span> <span class="muted">${placeOf(source, first)}</span>
${isResolved && html`<span class="badge success">${text.resolved}</span>`}${isOutdated && html` <span class="badge">${text.stale}</span>`}${options.isPending && html` <span class="badge warning">${text.pending}</span>`}`;
  const hunk =
    options.withCode &&
    first.diff_hunk !== '' &&
    html`${isOutdated && oldPlace(source, first)}<pre class="thread-code" tabindex="0">${hunkLines(first.diff_hunk)}</pre>`;
  return html`<details class="box thread"${!isResolved && html` open`}><summary>${head}</summary>${hunk}${comments}${!options.isPending && threadForms(source, first)}</details>`;
}

function placeOf({ conversation }: ThreadSource, { line, line_count: count }: CodeComment): string {
  const { pulls, reviewing } = conversation.visit.view.text;
  if (line === 0) return '';
  const last = Math.abs(line);
  const lines = count > 1 ? reviewing.lines(last - count + 1, last) : pulls.line(last);
  return line < 0 ? `${lines}, ${reviewing.oldLine}` : lines;
}

/** Where the lines of an outdated comment were. */
function oldPlace({ conversation }: ThreadSource, { commit_id: commit }: CodeComment): Html | false {
  const { view, repository } = conversation.visit;
  if (commit === '') return false;
  return html`<p class="content muted">${view.text.reviewing.writtenFor} <a class="mono" href="${repositoryPath(view, repository, `commit/${commit}`)}">${commit.slice(0, 10)}</a></p>`;
}

async function threadComment(source: ThreadSource, comment: CodeComment, { isPending }: ThreadOptions): Promise<Html> {
  const { conversation } = source;
  const { view } = conversation.visit;
  const isEditing = conversation.draft.edit === comment.id && mayEdit(source, comment);
  const name =
    comment.original_author === '' ? userLink(view, source.author(comment.author_id)) : html`<strong>${comment.original_author}</strong>`;
  const history = {
    path: conversation.path,
    id: comment.id,
    versions: source.versions.get(comment.id) ?? [],
    originalAuthor: comment.original_author,
  };
  const edited = editedMark(view, history, comment.content_version > 0);
  return html`<div class="thread-comment" id="issuecomment-${comment.id}"><div class="row">${name} <span class="muted">${timeAgo(view, comment.created_at)}${edited}</span> ${commentMenu(source, comment)}</div>
${isEditing ? editor(source, comment) : await bodyOf(source, comment, isPending)}</div>`;
}

async function bodyOf(source: ThreadSource, comment: CodeComment, isPending: boolean): Promise<Html> {
  const { render } = source.conversation;
  const anchor = `issuecomment-${comment.id}`;
  const parts = commentParts(comment.body);
  if (parts.every(({ kind }) => kind === 'text')) return render(comment.body, anchor);
  const shown = parts.map(async (part, at) =>
    part.kind === 'text' ? render(part.text, `${anchor}-${at}`) : suggestionView(source, comment, part, isPending),
  );
  return html`${await Promise.all(shown)}`;
}

function mayEdit({ conversation }: ThreadSource, { author_id: authorId }: CodeComment): boolean {
  const { visit, canWrite, issue } = conversation;
  return canWrite || (visit.view.user?.id === authorId && !issue.repository.is_archived);
}

function commentMenu(source: ThreadSource, comment: CodeComment): Html | false {
  const { conversation, back } = source;
  const { view } = conversation.visit;
  const { reviewing: text, timeline } = view.text;
  if (!mayEdit(source, comment)) return false;
  const page = back === '' ? conversation.path : `${conversation.path}/${back}`;
  return html`<span class="push">${menu(
    icon(view, 'kebab-horizontal', timeline.commentMenu),
    [
      html`<a href="${page}?edit=${comment.id}#issuecomment-${comment.id}">${text.edit}</a>`,
      actionButton(view, {
        action: conversation.path,
        label: text.deleteComment,
        fields: { do: 'delete-comment', comment: comment.id, back },
        className: 'link danger',
      }),
    ],
    { className: 'quiet' },
  )}</span>`;
}

function editor({ conversation, back }: ThreadSource, { id, body, content_version: version }: CodeComment): Html {
  const { view } = conversation.visit;
  const { reviewing: text, common } = view.text;
  const page = back === '' ? conversation.path : `${conversation.path}/${back}`;
  const fields = html`<input type="hidden" name="do" value="edit-comment"><input type="hidden" name="comment" value="${id}">
<input type="hidden" name="version" value="${version}"><input type="hidden" name="back" value="${back}">
<label class="visually-hidden" for="edit-${id}">${text.edit}</label><textarea id="edit-${id}" name="body" rows="6" required autofocus>
${conversation.draft.text ?? body}</textarea>
<div class="buttons"><button class="primary">${common.save}</button> <a class="button" href="${page}#issuecomment-${id}">${common.cancel}</a></div>`;
  return postForm(view, fields, { action: conversation.path });
}

/** Answers, and the mark that it is resolved. */
function threadForms({ conversation, mayResolve, back }: ThreadSource, { id, resolver_id: resolver }: CodeComment): Html | false {
  const { visit, path, canComment } = conversation;
  const { view } = visit;
  const { pulls, reviewing: text } = view.text;
  const isResolved = resolver !== null;
  const reply =
    canComment &&
    html`<details class="reply"><summary>${icon(view, 'comment')} ${text.reply}</summary>${postForm(
      view,
      html`<input type="hidden" name="do" value="reply"><input type="hidden" name="comment" value="${id}"><input type="hidden" name="back" value="${back}">
<label class="visually-hidden" for="reply-${id}">${text.reply}</label><textarea id="reply-${id}" name="body" rows="3" required></textarea>
<div class="buttons"><button class="primary">${text.sendReply}</button></div>`,
      { action: path },
    )}</details>`;
  const resolve =
    mayResolve &&
    actionButton(view, {
      action: path,
      label: isResolved ? pulls.unresolve : pulls.resolve,
      fields: { do: isResolved ? 'unresolve' : 'resolve', comment: id, back },
    });
  return (reply || resolve) && html`<div class="thread-forms">${reply}${resolve}</div>`;
}

function hunkLines(hunk: string): Html[] {
  const lines = hunk.trimEnd().split('\n');
  return lines.map((line) => {
    const tone = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'muted' : '';
    return html`<span class="${tone}">${line}\n</span>`;
  });
}
