import { notArchived, signedIn } from '../../../access/requirements.ts';
import type { ChangedFile } from '../../../git/diff/changes.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { pullsOn } from '../../../pulls/requirements.ts';
import { markViewed, type ViewedState } from '../../../pulls/viewed/viewed.ts';
import { diffAnchor } from '../../code/diff/source.ts';
import { postForm } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { Conversation } from '../../issues/conversation.ts';
import { issuePath } from '../../issues/paths.ts';
import { seeOther } from '../../page.ts';
import { repositoryPage } from '../../resource-pages.ts';
import { icon } from '../../view.ts';
import { pullOfVisit } from '../pull-in.ts';

/** Marks files as viewed, for the reader alone. */
export const viewedFilePages: readonly AnyRoute[] = repositoryPage({
  path: '/:owner/:repo/pulls/:index(^[0-9]+$)/viewed-files',
  needs: pullsOn,
  postNeeds: [signedIn, notArchived],
  post: async (visit, context) => {
    const { fields, view } = visit;
    const pull = await pullOfVisit(visit, context);
    const path = fields.get('path') ?? '';
    await markViewed(context, pull, path, fields.get('viewed') === 'on');
    return seeOther(context, `${issuePath(view, pull.issue, 'files').slice(view.root.length)}#${diffAnchor(path)}`);
  },
});

/** The button that marks a file as viewed; the script `pull.js` folds the file at once. */
export function viewedButton({ visit: { view }, path }: Conversation, file: ChangedFile, state: ViewedState | undefined): Html {
  const { reviewing: text } = view.text;
  const isViewed = state === 'viewed';
  const fields = html`<input type="hidden" name="path" value="${file.path}"><input type="hidden" name="viewed" value="${isViewed ? '' : 'on'}">
<button class="viewed-button" aria-pressed="${isViewed ? 'true' : 'false'}" title="${text.markViewed}">${icon(view, isViewed ? 'check' : 'eye')} ${text.viewed}</button>`;
  const changed = state === 'changed' && html`<span class="badge warning">${text.changedSince}</span> `;
  return html`${changed}${postForm(view, fields, { action: `${path}/viewed-files`, className: 'inline viewed' })}`;
}

/** How many of the files the reader has viewed. */
export function viewedCount({ visit: { view } }: Conversation, viewed: number, all: number): Html {
  const { reviewing: text } = view.text;
  return html`<span class="viewed-count row" data-viewed="${viewed}" data-files="${all}"><progress max="${all}" value="${viewed}" aria-hidden="true"></progress> <span role="status">${text.viewedCount(viewed, all)}</span></span>`;
}
