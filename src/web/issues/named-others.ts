import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { LabelRow } from '../../database/tables/issues.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import { unprocessable } from '../../http/errors.ts';
import { usableLabels, usableLabelsByName } from '../../issues/issue-labels/issue-labels.ts';
import { field } from '../components/form.ts';
import type { Html } from '../html.ts';
import type { View } from '../view.ts';

/** What can be chosen besides the boxes of a form, as there are too many for all of them. */
type Kind = 'label' | 'assignee' | 'reviewer';
const MAX_LENGTH = 1000;

/** The field for the names of those without a box. */
export function othersField({ text: { issues: text } }: View, kind: Kind, value: string | undefined = ''): Html {
  const name = `other_${kind}s`;
  return field({ name, label: text.others[kind], hint: text.byCommas, value, maxLength: MAX_LENGTH, autocomplete: 'off' });
}

/** Those with a ticked box, then the named others. */
export function chosenNames(fields: FormFields, kind: Kind): string[] {
  return [...fields.all(kind), ...othersOf(fields, kind)];
}

/**
 * The labels with a ticked box, and the named others.
 * @throws HttpError 422 for a name without a label
 */
export async function labelsOfForm(context: Context, view: View, repository: Repository, fields: FormFields): Promise<LabelRow[]> {
  const ids = fields.all('label').map(Number).filter(Number.isSafeInteger);
  const others = await otherLabels(context, view, repository, fields);
  return [...(await usableLabels(context, { repository }, ids)), ...others.filter(({ id }) => !ids.includes(id))];
}

/**
 * The labels that the form names besides the ticked boxes.
 * @throws HttpError 422 for a name without a label
 */
async function otherLabels(context: Context, view: View, repository: Repository, fields: FormFields): Promise<LabelRow[]> {
  const names = othersOf(fields, 'label');
  if (names.length === 0) return [];
  const found = await usableLabelsByName(context, { repository }, names);
  const missing = names.find((name) => !found.some((label) => label.name === name));
  if (missing !== undefined) throw unprocessable(view.text.issues.noLabelNamed(missing));
  return found;
}

function othersOf(fields: FormFields, kind: Kind): string[] {
  const names = (fields.get(`other_${kind}s`) ?? '').slice(0, MAX_LENGTH).split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
