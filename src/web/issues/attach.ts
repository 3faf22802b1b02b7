import { attachmentsOn, notArchived, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import { receiveFile } from '../../http/bodies/upload.ts';
import { raw } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { attach, refuseNoWriter } from '../../issues/attachments/attachments.ts';
import { commentTarget, issueTarget } from '../../issues/attachments/load.ts';
import { addPending } from '../../issues/attachments/pending.ts';
import { storeFile } from '../../issues/attachments/store.ts';
import { issuesOrPulls } from '../../issues/requirements.ts';
import { postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { seeOther } from '../page.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';
import type { Conversation } from './conversation.ts';
import { issuePath } from './paths.ts';

/** The form that attaches a file to the description (0) or a comment, if the URL requests it by `?attach=`. */
export function attachForm({ visit, path, settings, canComment }: Conversation): Html | false {
  const { view, fields } = visit;
  const target = fields.get('attach') ?? '';
  if (!/^\d{1,15}$/.test(target) || !view.user || !settings.attachments.enabled || !canComment) return false;
  const { timeline: text, common } = view.text;
  return html`<section id="attach" class="box" aria-label="${text.attachFile}"><div class="content">${postForm(
    view,
    html`<div class="field"><label for="f-attachment">${text.attachFile}</label><input id="f-attachment" type="file" name="attachment" required></div>
<div class="buttons"><button class="primary">${text.upload}</button> <a class="button" href="${path}">${common.cancel}</a></div>`,
    { action: `${path}/attachments?comment=${target}`, files: true },
  )}</div></section>`;
}

const needs = [issuesOrPulls, attachmentsOn, signedIn, notArchived];

/** Files of issues and comments: those that a form attaches, and those that a script uploads for a text that is still being written. */
export const attachmentPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo/issues/attachments',
    needs,
    semaphore: 'uploads',
    readsBody: true,
    post: async (visit, context) => {
      const file = await addPending(context, visit.repository, await received(visit, context));
      return raw(JSON.stringify({ uuid: file.uuid, name: file.name }), 'application/json');
    },
  }),
  ...repositoryPage({
    path: '/:owner/:repo/:kind(^issues|pulls$)/:index(^[0-9]+$)/attachments',
    needs,
    semaphore: 'uploads',
    readsBody: true,
    post: async (visit, context) => {
      const { repository, access, params, view } = visit;
      const id = new URL(visit.request.url).searchParams.get('comment') ?? '0';
      const { issue } = await issueTarget({ repository, access, params: { index: params.index ?? '' } }, context);
      const target = id === '0' ? { issue } : await commentTarget({ repository, access, params: { id } }, context);
      refuseNoWriter(target, access, context);
      await attach(context, target, await received(visit, context));
      const anchor = id === '0' ? `issue-${issue.id}` : `issuecomment-${id}`;
      return seeOther(context, `${issuePath(view, target.issue).slice(view.root.length)}#${anchor}`);
    },
  }),
];

function received({ request }: RepositoryVisit, context: Context) {
  const { allowedTypes, maxSize } = context.settings.attachments;
  return receiveFile(request.raw, context, { field: 'attachment', maxSize }, (file) => storeFile(context, file, { allowedTypes, maxSize }));
}
