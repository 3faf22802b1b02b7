import { deleteNotice, emptyNotices, listNotices } from '../../admin/notices/notices.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute } from '../../http/route.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { number, timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { failed, type Problem } from '../manage/section.ts';
import type { Visit } from '../page.ts';
import { adminSection } from './area.ts';

const section = adminSection('notices');

/** Reports of scheduled tasks, and failures of background jobs. */
export const noticePages: readonly AnyRoute[] = section.pages({
  show,
  forms: {
    delete: { isOneTransaction: true, send: ({ fields }, context) => deleteNotice(context, pathId(fields.get('id') ?? '')) },
    empty: { isOneTransaction: true, send: ({ fields }, context) => emptyNotices(context, pathId(fields.get('shown_at') ?? '')) },
  },
});

async function show(visit: Visit, context: Context, problem?: Problem): Promise<Html> {
  const { view } = visit;
  const { notices: text, common } = view.text;
  const page = requestedPage(visit, context.settings);
  const { notices, total } = await listNotices(context, page);
  const rows = html`<ul class="rows box">${notices.map(
    (
      notice,
    ) => html`<li><div><span class="badge">${text.kinds[notice.kind]}</span> <strong>${notice.subject}</strong> ${notice.count > 1 && text.times(number(view, notice.count))}<br>
<span>${notice.text}</span><br><span class="muted">${timeAgo(view, notice.updated_at)}</span></div>
<span class="push">${actionButton(view, { action: section.href(visit, 'delete'), label: common.delete, fields: { id: notice.id }, className: 'danger' })}</span></li>`,
  )}</ul>`;
  const empty = { action: section.href(visit, 'empty'), label: text.empty, fields: { shown_at: now() }, className: 'danger' };
  return html`<p>${text.hint}</p>${failed(view, problem, 'delete')}${listOrEmpty(visit, page, { total, rows, empty: text.none })}
${total > 0 && actionButton(view, empty)}`;
}
