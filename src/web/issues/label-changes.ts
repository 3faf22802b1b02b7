import type { Context } from '../../context.ts';
import type { LabelRow } from '../../database/tables/issues.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import { unprocessable } from '../../http/errors.ts';
import { describeLabelTemplates } from '../../instance/templates/labels.ts';
import { addTemplateLabels } from '../../issues/labels/from-templates.ts';
import { createLabel, deleteLabel, editLabel, getLabel, type LabelOwner } from '../../issues/labels/labels.ts';
import { postForm, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { icon, type View } from '../view.ts';
import { labelForm, readLabelForm, typedLabel } from './label-form.ts';

/** The actions of the label forms, by their field `do`. */
export async function changeLabels({ fields }: Visit, context: Context, owner: LabelOwner): Promise<void> {
  const id = /^\d{1,15}$/.test(fields.get('id') ?? '') ? (fields.get('id') ?? '') : '0';
  switch (fields.get('do')) {
    case 'create':
      await createLabel(context, owner, readLabelForm(fields));
      return;
    case 'edit':
      await editLabel(context, await getLabel(context, owner, id), readLabelForm(fields));
      return;
    case 'delete':
      await deleteLabel(context, owner, id);
      return;
    case 'template':
      await addTemplateLabels(context, owner, fields.get('template') ?? '');
      return;
    default:
      throw unprocessable('[do]: unknown');
  }
}

/** The form of a new label; after an error it shows the input again. */
export function newLabel(view: View, fields: FormFields, isRefused: boolean): Html {
  const { issues: text } = view.text;
  const typed = isRefused ? typedLabel(fields) : { name: '', description: '', color: '6e7781', isExclusive: false, isArchived: false };
  return html`<details class="box fold"${isRefused && html` open`}><summary class="button primary">${text.newLabel}</summary>
<div class="content">${postForm(view, html`<input type="hidden" name="do" value="create">${labelForm(view, 'new', typed)}<button class="primary">${text.createLabel}</button>`)}</div></details>`;
}

/** The forms that change and delete a label. */
export function labelEdit(view: View, { id, name, description, color, is_exclusive: isExclusive, archived_at: archived }: LabelRow): Html {
  const { issues: text, common } = view.text;
  const shown = { name, description, color, isExclusive, isArchived: archived !== null };
  const edit = html`<input type="hidden" name="do" value="edit"><input type="hidden" name="id" value="${id}">
${labelForm(view, String(id), shown)}<button>${common.save}</button>`;
  const remove = html`<p>${text.deleteLabelHint}</p><input type="hidden" name="do" value="delete"><input type="hidden" name="id" value="${id}"><button class="danger">${text.deleteLabel(name)}</button>`;
  return html`<details class="label-edit"><summary>${icon(view, 'pencil')} ${common.edit}</summary><div class="side-form">${postForm(view, edit)}<hr>${postForm(view, remove)}</div></details>`;
}

/** The labels of a template, for repositories without labels. */
export function labelTemplates(view: View): Html {
  const { issues: text } = view.text;
  const options = describeLabelTemplates().map(({ name, description }) => [name, `${name} (${description})`] as const);
  const fields = html`<input type="hidden" name="do" value="template">${select({ name: 'template', label: text.template, value: options[0]?.[0] ?? '', options })}<button>${text.useTemplate}</button>`;
  return html`<section aria-labelledby="templates"><h3 id="templates">${text.fromTemplate}</h3>${postForm(view, fields)}</section>`;
}
