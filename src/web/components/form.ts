import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** A field of a form. */
export interface Field {
  readonly name: string;
  /** Id of the element, if a page has several fields of the name. */
  readonly id?: string;
  readonly label: string;
  readonly value?: string | null | undefined;
  readonly type?: 'text' | 'email' | 'number' | 'password' | 'url' | 'date' | 'search';
  /** A sentence under the field. */
  readonly hint?: string | Html;
  readonly isRequired?: boolean;
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** The keys that phones show. */
  readonly inputMode?: 'decimal' | 'numeric';
  /** Where people begin to type on this page. */
  readonly isFirst?: boolean;
  /** URLs of lists of names to choose from, separated by spaces. A script loads them when the field gets the focus. */
  readonly names?: string;
}

/** A form that changes something: it is sent with the token of the page. @param action a path; this page when left out */
export function postForm(
  view: View,
  body: Html,
  options: { action?: string; className?: string; files?: boolean; id?: string } = {},
): Html {
  const { action = view.here, className, files, id } = options;
  return html`<form method="post" action="${action}"${id !== undefined && html` id="${id}"`}${className !== undefined && html` class="${className}"`}${files && html` enctype="multipart/form-data"`}>
${view.token}${body}</form>`;
}

/** A form that is a single button, with hidden fields. */
export function actionButton(
  view: View,
  {
    action,
    label,
    fields = {},
    className = '',
    title,
  }: { action: string; label: Html | string; fields?: Record<string, string | number>; className?: string; title?: string },
): Html {
  const hidden = Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return postForm(
    view,
    html`${hidden}<button class="${className}"${title !== undefined && html` title="${title}" aria-label="${title}"`}>${label}</button>`,
    { action, className: 'inline' },
  );
}

/** A labelled field of one line. */
export function field({
  name,
  id = `f-${name}`,
  label,
  value,
  type = 'text',
  hint,
  isRequired,
  autocomplete,
  maxLength,
  placeholder,
  inputMode,
  isFirst,
  names,
}: Field): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}"${isRequired && html` required`}${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${placeholder !== undefined && html` placeholder="${placeholder}"`}${inputMode !== undefined && html` inputmode="${inputMode}"`}${hint !== undefined && html` aria-describedby="${id}-hint"`}${isFirst && html` autofocus`}${names !== undefined && html` list="${id}-names" data-names="${names}"`}>
${names !== undefined && html`<datalist id="${id}-names"></datalist>`}${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`;
}

/** A labelled field of several lines. */
export function textArea({
  name,
  id = `f-${name}`,
  label,
  value,
  hint,
  isRequired,
  maxLength,
  placeholder,
  rows = 6,
}: Field & { readonly rows?: number }): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}"${isRequired && html` required`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${placeholder !== undefined && html` placeholder="${placeholder}"`}${hint !== undefined && html` aria-describedby="${id}-hint"`}>
${value}</textarea>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`;
}

/** A box to tick. It sends `on`. */
export function checkBox({
  name,
  label,
  hint,
  isChecked,
  value = 'on',
}: {
  name: string;
  label: string | Html;
  hint?: string;
  isChecked: boolean;
  value?: string;
}): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}> ${label}</label>
${hint !== undefined && html`<p class="hint">${hint}</p>`}</div>`;
}

/** One of several values. */
export function select({
  name,
  id = `f-${name}`,
  label,
  value,
  options,
  hint,
}: {
  name: string;
  id?: string;
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  hint?: string;
}): Html {
  return html`<div class="field"><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${options.map(
    ([option, text]) => html`<option value="${option}"${option === value && html` selected`}>${text}</option>`,
  )}</select>
${hint !== undefined && html`<p class="hint">${hint}</p>`}</div>`;
}
