import { gitHookEditor, repositoryAdmin } from '../../../access/requirements.ts';
import { type Context, inTransaction } from '../../../context.ts';
import { CUSTOM_HOOKS, isCustomHook, readCustomHook, writeCustomHook } from '../../../git/protocol/custom-hooks.ts';
import { notFound } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { confirmRecently, recentlyField } from '../../accounts/confirm-password.ts';
import { postForm, textArea } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';

const MAX_BYTES = 1024 * 1024;

/** The scripts of a repository that run on the server at each push, for users who may edit them. */
export const gitHookPages: readonly AnyRoute[] = repositorySettingsPage({
  page: 'gitHooks',
  needs: [repositoryAdmin, gitHookEditor],
  maxBytes: MAX_BYTES,
  show: overview,
  forms: { '': { send: save } },
});

async function save(visit: RepositoryVisit, context: Context): Promise<void> {
  const { repository, fields } = visit;
  const name = fields.get('name') ?? '';
  if (!isCustomHook(name)) throw notFound();
  // A script runs as the server, long after the session.
  await confirmRecently(visit, context);
  // The audit log has the entry before anything is changed, which is outside of the database.
  await inTransaction(context, async () => {});
  await writeCustomHook(context.git.locate(repository), name, fields.get('content') ?? '');
}

async function overview(visit: RepositoryVisit, { git }: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const text = view.text.manage;
  const hooks: Html[] = [];
  for (const name of CUSTOM_HOOKS) {
    const stored = (await readCustomHook(git.locate(repository), name)) ?? '';
    const content = problem && fields.get('name') === name ? (fields.get('content') ?? '') : stored;
    const form = html`<input type="hidden" name="name" value="${name}">${textArea({ name: 'content', id: `f-${name}`, label: text.script, value: content, rows: 12 })}
${recentlyField(visit)}<button>${view.text.common.save}</button>`;
    hooks.push(html`<details class="box"${content !== '' && html` open`}><summary class="hook-name"><code>${name}</code>
${stored !== '' && html`<span class="badge success">${text.active}</span>`}</summary><div class="content">${postForm(view, form, { action: formPath(visit, 'gitHooks') })}</div></details>`);
  }
  return html`<p>${text.gitHooksHint}</p>${failed(view, problem, '')}${hooks}`;
}
