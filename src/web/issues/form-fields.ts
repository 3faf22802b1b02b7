import type { Context } from '../../context.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import type { Template } from '../../repositories/issue-templates/read-template.ts';
import { InvalidPatternError } from '../../text/pattern.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import { matchExpressions } from '../../workers/match-expressions.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** A field of an issue form. */
export type TemplateField = NonNullable<Template['body']>[number];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The name under which a field is sent. */
export function fieldName({ id }: TemplateField): string {
  return `form-field-${id}`;
}

/** Whether a field is shown in the form, or is in the text of the issue. */
export function isVisible({ visible }: TemplateField, place: 'form' | 'content'): boolean {
  return visible?.includes(place) ?? true;
}

/** The options of a list of choices. */
export function optionsOf({ attributes }: TemplateField): string[] {
  const options = attributes?.options;
  return Array.isArray(options)
    ? options.map((option) => (typeof option === 'string' ? option : text((option as { label?: unknown }).label)))
    : [];
}

function isRequired({ validations }: TemplateField): boolean {
  return validations?.required === true;
}

function isOptionRequired({ attributes }: TemplateField, index: number): boolean {
  const option = Array.isArray(attributes?.options) ? (attributes.options[index] as { required?: unknown } | undefined) : undefined;
  return option?.required === true;
}

/**
 * A field of an issue form as a control.
 * @param typed the typed values; undefined when the form is first shown
 * @param rendered the Markdown of its explanation, or of itself if it is only an explanation
 */
export function formField(view: View, field: TemplateField, typed: FormFields | undefined, rendered: Html | undefined): Html {
  if (field.type === 'markdown') return rendered ?? html``;
  const name = fieldName(field);
  const label = text(field.attributes?.label);
  const required = isRequired(field) && html` required`;
  const star = isRequired(field) && html` <span class="muted">*</span>`;
  if (field.type === 'checkboxes') return checkBoxes(field, typed, label, rendered);
  const first = typed ? (typed.get(name) ?? '') : text(field.attributes?.value);
  const hint = text(field.attributes?.placeholder);
  const head = html`<label for="f-${name}">${label}${star}</label>${rendered}`;
  if (field.type === 'dropdown') return html`<div class="field">${head}${dropdown(view, field, typed)}</div>`;
  if (field.type === 'input') {
    return html`<div class="field">${head}<input id="f-${name}" name="${name}" value="${first}" placeholder="${hint}"${field.validations?.is_number === true && html` inputmode="decimal"`}${required}></div>`;
  }
  return html`<div class="field">${head}<textarea id="f-${name}" name="${name}" rows="6" placeholder="${hint}"${required}>
${first}</textarea></div>`;
}

function dropdown(view: View, field: TemplateField, typed: FormFields | undefined): Html {
  const name = fieldName(field);
  const isMultiple = field.attributes?.multiple === true;
  const chosen = typed ? typed.all(name) : field.attributes?.default === undefined ? [] : [String(field.attributes.default)];
  const options = optionsOf(field).map(
    (option, index) => html`<option value="${index}"${chosen.includes(String(index)) && html` selected`}>${option}</option>`,
  );
  const none = !isMultiple && html`<option value="">${view.text.common.none}</option>`;
  return html`<select id="f-${name}" name="${name}"${isMultiple && html` multiple`}${isRequired(field) && html` required`}>${none}${options}</select>`;
}

function checkBoxes(field: TemplateField, typed: FormFields | undefined, label: string, rendered: Html | undefined): Html {
  const name = fieldName(field);
  return html`<fieldset><legend>${label}</legend>${rendered}${optionsOf(field).map(
    (option, index) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${index}"${typed?.all(name).includes(String(index)) && html` checked`}${isOptionRequired(field, index) && html` required`}> ${option}${isOptionRequired(field, index) && html` <span class="muted">*</span>`}</label>`,
  )}</fieldset>`;
}

/** The error of a sent form; undefined if it is valid. */
export async function problemOf(
  context: Pick<Context, 'workers'>,
  view: View,
  fields: readonly TemplateField[],
  sent: FormFields,
): Promise<string | undefined> {
  const { issues: texts } = view.text;
  for (const field of fields.filter((field) => field.type !== 'markdown' && isVisible(field, 'form'))) {
    const label = text(field.attributes?.label);
    const values = sent.all(fieldName(field)).filter((value) => value.trim() !== '');
    if (isRequired(field) && values.length === 0) return texts.requiredField(label);
    const missing =
      field.type === 'checkboxes' && optionsOf(field).some((_, index) => isOptionRequired(field, index) && !values.includes(String(index)));
    if (missing) return texts.requiredField(label);
    const [value] = values;
    if (field.type !== 'input' || value === undefined) continue;
    if (field.validations?.is_number === true && !Number.isFinite(Number(value))) return texts.notNumber(label);
    const pattern = text(field.validations?.regex);
    if (pattern !== '' && !(await matches(context, pattern, value))) return texts.wrongPattern(label);
  }
  return undefined;
}

/** An invalid or slow pattern refuses nothing: its author has to correct it, not the reporter. */
async function matches(context: Pick<Context, 'workers'>, pattern: string, value: string): Promise<boolean> {
  try {
    const [found] = await matchExpressions(context, [pattern], [value]);
    return found?.[0] ?? false;
  } catch (error) {
    if (error instanceof InvalidPatternError || error instanceof WorkerLimitError) return true;
    throw error;
  }
}

/** The text of an issue that a form makes: each field under a heading. */
export function bodyOf(view: View, fields: readonly TemplateField[], sent: FormFields): string {
  return fields
    .filter((field) => isVisible(field, 'content'))
    .map((field) => (field.type === 'markdown' ? text(field.attributes?.value).trim() : section(view, field, sent)))
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n');
}

function section(view: View, field: TemplateField, sent: FormFields): string {
  const label = text(field.attributes?.label);
  const content = contentOf(field, sent);
  return `### ${label}\n\n${content === '' ? view.text.issues.noResponse : content}`;
}

function contentOf(field: TemplateField, sent: FormFields): string {
  const values = sent.all(fieldName(field));
  const options = optionsOf(field);
  if (field.type === 'checkboxes') {
    return options.map((option, index) => `- [${values.includes(String(index)) ? 'x' : ' '}] ${option}`).join('\n');
  }
  if (field.type === 'dropdown') {
    const chosen = options.filter((_, index) => values.includes(String(index)));
    return field.attributes?.list === true ? chosen.map((option) => `- ${option}`).join('\n') : chosen.join(', ');
  }
  const value = (values[0] ?? '').replaceAll('\r\n', '\n').trim();
  const language = text(field.attributes?.render);
  return language === '' || value === '' ? value : fenced(value, language);
}

/** A block of code, whose fence is longer than any in it. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language.replace(/[^\w+#.-]/g, '')}\n${code}\n${fence}`;
}
