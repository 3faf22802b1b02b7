import { notArchived } from '../../../access/requirements.ts';
import {
  createBranchProtection,
  deleteBranchProtection,
  editBranchProtection,
  getBranchProtection,
} from '../../../code/protections/branch-protections.ts';
import { presentBranchProtection } from '../../../code/protections/present.ts';
import { branchRules } from '../../../code/protections/rules.ts';
import { CreateBranchProtectionOption } from '../../../code/protections/schema.ts';
import type { Context } from '../../../context.ts';
import { bindValue } from '../../../http/bodies/body.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { fault } from '../../components/fault.ts';
import { actionButton, postForm } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';

import type { RepositoryVisit } from '../../resource-pages.ts';
import { formPath, type Problem, repositorySettingsPage } from './frame.ts';
import { type ProtectionShape, protectionFields, readProtection } from './protection-form.ts';

/** Bytes of a rule: its patterns have 65536 each. */
const MAX_BYTES = 512 * 1024;

/** The rules that protect branches. */
export const branchProtectionPages: readonly AnyRoute[] = [
  ...repositorySettingsPage({
    page: 'branches',
    show: list,
    forms: {
      delete: {
        needs: [notArchived],
        send: ({ repository, fields }, context) => deleteBranchProtection(context, repository, fields.get('rule_name') ?? ''),
      },
    },
  }),
  ...repositorySettingsPage({
    page: 'branches',
    sub: 'edit',
    maxBytes: MAX_BYTES,
    show: form,
    forms: { '': { needs: [notArchived], send: save } },
  }),
];

async function save({ repository, fields }: RepositoryVisit, context: Context): Promise<void> {
  const { rule_name: name = '', ...options } = bindValue(CreateBranchProtectionOption, readProtection(fields));
  if (fields.has('old_name')) await editBranchProtection(context, repository, fields.get('old_name') ?? '', options);
  else await createBranchProtection(context, repository, { ...options, rule_name: name });
}

async function list(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository } = visit;
  const text = view.text.manage;
  const rules = await branchRules(context.db, repository.id);
  const edit = formPath(visit, 'branches', 'edit');
  const rows = html`<ul class="rows box">${rules.map(
    ({ rule_name: name }) => html`<li><div><code><strong>${name}</strong></code></div>
<span class="push buttons"><a class="button" href="${edit}?${new URLSearchParams({ rule_name: name }).toString()}">${view.text.common.edit}</a>
${actionButton(view, { action: formPath(visit, 'branches', 'delete'), label: text.removeShort, title: text.removeNamed(name), fields: { rule_name: name }, className: 'danger' })}</span></li>`,
  )}</ul>`;
  return html`${problem && fault(view, problem.error.message)}<p>${text.branchesHint}</p>
${rules.length > 0 ? rows : html`<p class="empty">${text.noRules}</p>`}
<p><a class="button primary" href="${edit}">${text.addRule}</a></p>`;
}

async function form(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const text = view.text.manage;
  const oldName = problem ? fields.get('old_name') : fields.get('rule_name');
  const found = oldName
    ? await presentBranchProtection(context, repository, await getBranchProtection(context, repository, oldName))
    : undefined;
  const shown: Partial<ProtectionShape> = problem ? readProtection(fields) : (found ?? { enable_push: false, required_approvals: 0 });
  const name = found
    ? html`<input type="hidden" name="old_name" value="${oldName}">`
    : html`<div class="field"><label for="rule-name">${text.ruleName}</label>
<input id="rule-name" name="rule_name" value="${shown.rule_name}" required maxlength="1000"><p class="hint">${text.ruleNameHint}</p></div>`;
  return html`<h3>${found ? oldName : text.addRule}</h3>${problem && fault(view, problem.error.message)}
${postForm(
  view,
  html`${name}${protectionFields(view, repository, shown)}<div class="buttons"><button class="primary">${view.text.common.save}</button>
<a class="button" href="${formPath(visit, 'branches')}">${view.text.common.cancel}</a></div>`,
  { action: formPath(visit, 'branches', 'edit') },
)}`;
}
