import { adopt, deleteUnadopted, listUnadopted } from '../../admin/unadopted/unadopted.ts';
import { type Context, inTransaction } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { actionButton } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { type Html, html } from '../html.ts';
import { failed, type Problem } from '../manage/section.ts';
import type { Visit } from '../page.ts';
import type { View } from '../view.ts';
import { adminSection } from './area.ts';
import { searchForm } from './frame.ts';

const section = adminSection('unadopted');

/** Repositories that an operator copied to the disk. */
export const unadoptedPages: readonly AnyRoute[] = section.pages({
  show,
  forms: {
    '': {
      send: async (visit, context) => {
        const [owner = '', name = ''] = (visit.fields.get('id') ?? '').split('/');
        await adoptOrDelete(visit, context, owner, name);
      },
    },
  },
});

/** Runs the action of a button of the list. */
export async function adoptOrDelete({ fields }: Visit, context: Context, owner: string, name: string): Promise<void> {
  const action = fields.get('action');
  if (action !== 'adopt' && action !== 'delete') throw unprocessable('[action]: unknown');
  // The audit entry is written before anything is changed on the disk.
  await inTransaction(context, async () => {});
  await (action === 'adopt' ? adopt : deleteUnadopted)(context, owner, name);
}

/** A button that adopts or deletes the repository of a name. */
export function unadoptedButton(view: View, { action, name, act }: { action: string; name: string; act: 'adopt' | 'delete' }): Html {
  const label = act === 'adopt' ? view.text.owners.adopt : view.text.common.delete;
  const title = `${label}: ${name}`;
  return actionButton(view, { action, label, title, fields: { id: name, action: act }, className: act === 'delete' ? 'danger' : '' });
}

async function show(visit: Visit, context: Context, problem?: Problem): Promise<Html> {
  const { view, fields, request } = visit;
  const { owners: text, admin } = view.text;
  const pattern = request.method === 'POST' ? '' : (fields.get('q') ?? '').trim().slice(0, 255);
  const page = requestedPage(visit, context.settings);
  const { names, total } = await listUnadopted(context, pattern, page);
  const action = section.href(visit);
  const rows = html`<ul class="rows box">${names.map(
    (name) =>
      html`<li><code>${name}</code><span class="push buttons">${unadoptedButton(view, { action, name, act: 'adopt' })}${unadoptedButton(view, { action, name, act: 'delete' })}</span></li>`,
  )}</ul>`;
  return html`<p>${text.unadoptedHint}</p>${failed(view, problem, '')}${searchForm(view, 'unadopted', pattern)}
${listOrEmpty(visit, page, { total, rows, empty: pattern === '' ? text.noUnadopted : admin.noneFound })}`;
}
