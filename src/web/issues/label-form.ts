import type { FormFields } from '../../http/bodies/fields.ts';
import { unprocessable } from '../../http/errors.ts';
import { normalizeColor } from '../../issues/labels/color.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** The values of a label's form. */
export interface LabelFields {
  readonly name: string;
  readonly description: string;
  /** Six hexadecimal digits. */
  readonly color: string;
  readonly isExclusive: boolean;
  readonly isArchived: boolean;
}

const MAX_NAME = 100;
const MAX_DESCRIPTION = 1000;

/** The fields of a label. @param id sets them apart from those of other forms of the page */
export function labelForm(view: View, id: string, { name, description, color, isExclusive, isArchived }: LabelFields): Html {
  const { issues: text } = view.text;
  const box = (field: string, label: string, hint: string, isChecked: boolean) =>
    html`<div class="field"><label class="choice"><input type="checkbox" name="${field}"${isChecked && html` checked`}> ${label}</label><p class="hint">${hint}</p></div>`;
  return html`<div class="label-fields"><div class="field"><label for="name-${id}">${text.labelName}</label><input id="name-${id}" name="name" value="${name}" maxlength="${MAX_NAME}" required></div>
<div class="field"><label for="description-${id}">${text.labelDescription}</label><input id="description-${id}" name="description" value="${description}" maxlength="${MAX_DESCRIPTION}"></div>
<div class="field"><label for="color-${id}">${text.labelColor}</label><input class="color" id="color-${id}" type="color" name="color" value="#${color}"></div></div>
${box('exclusive', text.exclusive, text.exclusiveHint, isExclusive)}
${box('archived', text.archived, text.archivedHint, isArchived)}`;
}

/** Parses the form. @throws HttpError 422 for a missing or too long name, and for an invalid color */
export function readLabelForm(fields: FormFields): LabelFields {
  const name = (fields.get('name') ?? '').trim();
  const description = (fields.get('description') ?? '').trim();
  if (name === '') throw unprocessable('[Name]: Required');
  if (name.length > MAX_NAME) throw unprocessable('[Name]: MaxSize');
  if (description.length > MAX_DESCRIPTION) throw unprocessable('[Description]: MaxSize');
  const color = normalizeColor(fields.get('color') ?? '');
  return { name, description, color, isExclusive: fields.has('exclusive'), isArchived: fields.has('archived') };
}

/** The unchecked input, to be shown again. */
export function typedLabel(fields: FormFields): LabelFields {
  const color = (fields.get('color') ?? '').replace('#', '');
  return {
    name: fields.get('name') ?? '',
    description: fields.get('description') ?? '',
    color: /^[\da-f]{6}$/i.test(color) ? color : '6e7781',
    isExclusive: fields.has('exclusive'),
    isArchived: fields.has('archived'),
  };
}
