import { emojiByName } from '../../markup/text/emoji.ts';
import { avatar, userLink } from '../components/avatar.ts';
import { COMPOSER_SCRIPT, composer, mayUpload } from '../components/composer.ts';
import { actionButton, postForm } from '../components/form.ts';
import { menu } from '../components/menu.ts';
import { bytes, timeAgo } from '../components/numbers.ts';
import { Html, html } from '../html.ts';
import { icon, localUrl } from '../view.ts';
import type { Conversation, ShownFile, WholeConversation } from './conversation.ts';
import { editedMark, type TextHistory } from './history/menu.ts';
import type { ShownIssue } from './shown.ts';

/** The scripts of a page with comments. */
export const COMMENT_SCRIPTS = [COMPOSER_SCRIPT, 'conversation.js'] as const;

/** A text of somebody: the description of an issue or pull request, a comment, or the text of a review. */
export interface ShownComment {
  /** Of the comment; 0 for the description. */
  readonly id: number;
  readonly user: ShownIssue['user'];
  readonly originalAuthor: string;
  readonly authorId: number;
  readonly body: string;
  readonly createdAt: string;
  readonly isEdited: boolean;
  readonly version: number;
  readonly files: readonly ShownFile[];
  /** The text after the name, such as `commented`. */
  readonly did: string | Html;
}

/**
 * A comment with its reactions, files and menu, as an `article` whose anchor is that of the API's `html_url`. If the draft of the
 * conversation is about it, its editor replaces its text. Its forms are those of `changeConversation`.
 */
export async function comment(conversation: WholeConversation, shown: ShownComment): Promise<Html> {
  const { visit, issue, draft } = conversation;
  const { view } = visit;
  const { timeline: text } = view.text;
  const { id, user, body } = shown;
  const anchor = id === 0 ? `issue-${issue.id}` : `issuecomment-${id}`;
  const mayEdit =
    id === 0 ? conversation.canEdit : conversation.canWrite || (view.user?.id === shown.authorId && !issue.repository.is_archived);
  const isEditing = mayEdit && draft.edit === (id === 0 ? 'body' : id);
  const by = shown.originalAuthor ? html`<strong>${shown.originalAuthor}</strong>` : html`<strong>${userLink(view, user)}</strong>`;
  const isAuthor = id !== 0 && shown.authorId === issue.author_id;
  return html`<article class="comment" id="${anchor}" aria-label="${text.commented}: ${user?.login}">
<header>${by} <span class="muted">${shown.did} <a class="plain" href="#${anchor}">${timeAgo(view, shown.createdAt)}</a>${editedMark(view, historyOf(conversation, shown), shown.isEdited)}</span>
${isAuthor && html`<span class="badge">${text.author}</span>`}
<span class="push row">${reactionMenu(conversation, id)}${commentMenu(conversation, shown, { anchor, mayEdit })}</span></header>
${
  isEditing
    ? editor(conversation, shown)
    : html`<div class="content">${body === '' ? html`<p class="muted">${text.noDescription}</p>` : tickable(conversation, await conversation.render(body, anchor), id, mayEdit)}
${fileList(conversation, shown.files)}${reactionBar(conversation, id)}</div>`
}
${!isEditing && html`<template class="source">${body}</template>`}
</article>`;
}

function historyOf({ versions, path }: WholeConversation, { id, originalAuthor }: ShownComment): TextHistory {
  return { path, id, versions: versions.get(id) ?? [], originalAuthor };
}

const BOX = /<input type="checkbox" disabled="" aria-label="[^"]*" data-source-position="(\d{1,9})"( checked="")?\/?>/g;

/** The boxes of a task list become buttons for users who may edit the text; without scripts each is sent by itself. */
function tickable({ visit: { view }, path }: Conversation, rendered: Html, id: number, mayEdit: boolean): Html {
  if (!rendered.text.includes('data-source-position=')) return rendered;
  const { task: label } = view.text.timeline;
  const form = `tasks-${id}`;
  const marked = rendered.text.replaceAll(BOX, (_, position: string, checked: string | undefined) =>
    mayEdit
      ? html`<button class="task" form="${form}" name="position" value="${position}" role="checkbox" aria-checked="${checked ? 'true' : 'false'}" aria-label="${label}"></button>`
          .text
      : html`<input type="checkbox" disabled aria-label="${label}"${checked && html` checked`}>`.text,
  );
  const fields = html`<input type="hidden" name="do" value="task"><input type="hidden" name="comment" value="${id}">`;
  return html`${mayEdit && postForm(view, fields, { action: path, id: form, className: 'tasks' })}${new Html(marked)}`;
}

function editor(conversation: Conversation, { id, body, version }: ShownComment): Html {
  const { visit, path, draft, settings } = conversation;
  const { view } = visit;
  const fields = html`<input type="hidden" name="do" value="${id === 0 ? 'edit' : 'edit-comment'}">
<input type="hidden" name="comment" value="${id}"><input type="hidden" name="version" value="${version}">
${composer(view, { name: 'body', label: view.text.timeline.edit, isLabelHidden: true, value: draft.text ?? body, repository: visit.repository, files: mayUpload(settings, view), preview: draft.preview, rows: 12 })}
<div class="buttons"><button class="primary">${view.text.common.save}</button> <a class="button" href="${path}">${view.text.common.cancel}</a></div>`;
  return html`<div class="content">${postForm(view, fields, { action: path })}</div>`;
}

function commentMenu(
  { visit, path, canComment, settings }: Conversation,
  { id, authorId }: ShownComment,
  { anchor, mayEdit }: { anchor: string; mayEdit: boolean },
): Html {
  const { view } = visit;
  const { timeline: text, common } = view.text;
  const mayAttach = mayEdit && settings.attachments.enabled && (id === 0 || visit.access.isAdmin || view.user?.id === authorId);
  return menu(
    icon(view, 'kebab-horizontal', text.commentMenu),
    [
      html`<a href="#${anchor}" data-copy-link>${text.copyLink}</a>`,
      canComment && html`<a href="#new-comment" data-quote="${anchor}" class="with-script" hidden>${text.quote}</a>`,
      mayEdit && html`<a href="${path}?edit=${id === 0 ? 'body' : id}#${anchor}">${common.edit}</a>`,
      mayAttach && html`<a href="${path}?attach=${id}#attach">${text.attachFile}</a>`,
      mayEdit &&
        id !== 0 &&
        actionButton(view, {
          action: path,
          label: text.deleteComment,
          fields: { do: 'delete-comment', comment: id },
          className: 'link danger',
        }),
    ],
    { className: 'quiet' },
  );
}

function fileList({ visit: { view } }: Conversation, files: readonly ShownFile[]): Html | false {
  if (files.length === 0) return false;
  return html`<ul class="attachments" aria-label="${view.text.timeline.attachments}">${files.map(
    ({ name, size, browser_download_url: url }) =>
      html`<li>${icon(view, 'file')} <a href="${localUrl(view, url)}">${name}</a> <span class="muted">${bytes(view, size)}</span></li>`,
  )}</ul>`;
}

function mayReact({ visit, issue, canWrite }: Conversation): boolean {
  return visit.view.user !== null && !issue.repository.is_archived && (!issue.is_locked || canWrite);
}

function emojiOf(content: string): string {
  return emojiByName(content)?.emoji ?? `:${content}:`;
}

function reactionMenu(conversation: Conversation, id: number): Html | false {
  const { visit, path, settings } = conversation;
  const { view } = visit;
  if (!mayReact(conversation) || settings.ui.reactions.length === 0) return false;
  const form = html`<input type="hidden" name="do" value="react"><input type="hidden" name="comment" value="${id}">
${settings.ui.reactions.map((content) => html`<button name="content" value="${content}" title="${content}" aria-label="${content}">${emojiOf(content)}</button>`)}`;
  return menu(icon(view, 'smiley', view.text.timeline.react), [postForm(view, form, { action: path, className: 'reaction-choices' })], {
    className: 'quiet',
  });
}

function reactionBar(conversation: WholeConversation, id: number): Html | false {
  const { visit, path, reactions } = conversation;
  const { view } = visit;
  const given = reactions.get(id) ?? [];
  if (given.length === 0) return false;
  const isOpen = mayReact(conversation);
  const buttons = given.map(
    ({ content, count, isOwn }) =>
      html`<button name="content" value="${content}" aria-pressed="${isOwn ? 'true' : 'false'}" aria-label="${view.text.timeline.reactions(content, count)}"${!isOpen && html` disabled`}>${emojiOf(content)} ${count}</button>`,
  );
  const form = html`<input type="hidden" name="do" value="react"><input type="hidden" name="comment" value="${id}">${buttons}`;
  return postForm(view, form, { action: path, className: 'reaction-bar' });
}

/** The image next to a comment, if there is room. */
export function sidePicture({ visit: { view } }: Conversation, user: ShownIssue['user']): Html | false {
  return user ? html`<span class="side-picture">${avatar(view, user, 40)}</span>` : false;
}
