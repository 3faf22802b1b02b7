import { adopt, deleteUnadopted, listUnadopted } from '../../admin/unadopted/unadopted.ts';
import { type Context, inTransaction } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { type Html, html } from '../html.ts';
import { failed, type Problem } from '../manage/section.ts';
import type { Visit } from '../page.ts';
import { adminSection } from './area.ts';
import { searchForm } from './frame.ts';

const section = adminSection('unadopted');

/** Repositories that an operator has laid on the disk. */
export const unadoptedPages: readonly AnyRoute[] = section.pages({ show, forms: { '': { send } } });

async function send({ fields }: Visit, context: Context): Promise<void> {
  const [owner = '', name = ''] = (fields.get('id') ?? '').split('/');
  const action = fields.get('action');
  if (action !== 'adopt' && action !== 'delete') throw unprocessable('[action]: unknown');
  // The audit log has the entry before anything is changed on the disk.
  await inTransaction(context, async () => {});
  await (action === 'adopt' ? adopt : deleteUnadopted)(context, owner, name);
}

async function show(visit: Visit, context: Context, problem?: Problem): Promise<Html> {
  const { view, fields, request } = visit;
  const { owners: text, common, admin } = view.text;
  const pattern = request.method === 'POST' ? '' : (fields.get('q') ?? '').trim().slice(0, 255);
  const page = requestedPage(visit, context.settings);
  const { names, total } = await listUnadopted(context, pattern, page);
  const button = (name: string, action: 'adopt' | 'delete', label: string) =>
    actionButton(view, {
      action: section.href(visit),
      label,
      title: `${label}: ${name}`,
      fields: { id: name, action },
      className: action === 'delete' ? 'danger' : '',
    });
  const rows = html`<ul class="rows box">${names.map(
    (name) =>
      html`<li><code>${name}</code><span class="push buttons">${button(name, 'adopt', text.adopt)}${button(name, 'delete', common.delete)}</span></li>`,
  )}</ul>`;
  return html`<p>${text.unadoptedHint}</p>${failed(problem, '')}${searchForm(view, 'unadopted', pattern)}
${listOrEmpty(visit, page, { total, rows, empty: pattern === '' ? text.noUnadopted : admin.noneFound })}`;
}
