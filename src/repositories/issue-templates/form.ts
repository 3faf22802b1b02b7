import type { Shape } from '../../http/schema.ts';
import { TemplateError } from './error.ts';
import { isMapping } from './mapping.ts';
import type { IssueFormField } from './schema.ts';

type Field = Shape<typeof IssueFormField>;
type Values = Record<string, unknown>;

const TYPES = ['markdown', 'textarea', 'input', 'dropdown', 'checkboxes'] as const;
const PLACES = ['form', 'content'];
/** Maximum number of fields of one form, and of options of one field. */
const MAX_ENTRIES = 200;

/** The texts of each type of field. */
const TEXTS: Record<Field['type'], readonly string[]> = {
  markdown: [],
  textarea: ['description', 'placeholder', 'value', 'render'],
  input: ['description', 'placeholder', 'value'],
  dropdown: ['description'],
  checkboxes: ['description'],
};

/**
 * The fields of an issue form.
 * @throws TemplateError naming the invalid field
 */
export function readFields(body: unknown): Field[] {
  if (!Array.isArray(body) || body.length === 0) throw new TemplateError("'body' is required");
  if (body.length > MAX_ENTRIES) throw new TemplateError("'body' is too long");
  const ids = new Set<string>();
  return body.map((entry, index) => readField(entry, index, ids));
}

function readField(entry: unknown, index: number, ids: Set<string>): Field {
  const given = isMapping(entry) ? entry : {};
  const at = `body[${index}](${String(given.type ?? '')})`;
  const type = TYPES.find((known) => known === given.type);
  if (!type) throw new TemplateError(`${at}: unknown type`);
  const field: Field = {
    type,
    id: given.id === undefined || given.id === null || given.id === '' ? String(index) : String(given.id),
    attributes: mapping(at, 'attributes', given.attributes),
    validations: mapping(at, 'validations', given.validations),
    visible: places(at, given.visible) ?? (type === 'markdown' ? ['form'] : ['form', 'content']),
  };
  if (type === 'markdown') texts(at, field.attributes ?? {}, ['value'], true);
  else checkField(at, field, ids);
  return field;
}

function checkField(at: string, { type, id, attributes, validations, visible }: Field, ids: Set<string>): void {
  if (!/^[\w-]+$/.test(id)) throw new TemplateError(`${at}: 'id' should contain only alphanumeric, '-' and '_'`);
  if (ids.has(id)) throw new TemplateError(`${at}: 'id' should be unique`);
  ids.add(id);
  const own = attributes ?? {};
  texts(at, own, ['label'], true);
  texts(at, own, TEXTS[type], false);
  if (type === 'input') {
    switches(at, validations ?? {}, ['is_number']);
    texts(at, validations ?? {}, ['regex'], false);
  }
  if (type === 'dropdown') {
    switches(at, own, ['multiple', 'list']);
    checkChoice(at, own, options(at, own));
  }
  if (type === 'checkboxes') for (const [index, option] of options(at, own).entries()) checkBox(`${at}, option[${index}]`, option);
  else switches(at, validations ?? {}, ['required']);
  if (type !== 'checkboxes' && validations?.required === true && !visible?.includes('form')) {
    throw new TemplateError(`${at}: can not require a hidden field`);
  }
}

function options(at: string, { options: given }: Values): unknown[] {
  if (!Array.isArray(given) || given.length === 0) throw new TemplateError(`${at}: 'options' is required and should be a array`);
  if (given.length > MAX_ENTRIES) throw new TemplateError(`${at}: 'options' is too long`);
  return given;
}

function checkChoice(at: string, { default: chosen }: Values, given: readonly unknown[]): void {
  const wrong = given.findIndex((option) => typeof option !== 'string');
  if (wrong >= 0) throw new TemplateError(`${at}, option[${wrong}]: should be a string`);
  if (chosen === undefined) return;
  if (!Number.isInteger(chosen)) throw new TemplateError(`${at}: 'default' should be an int`);
  if (Number(chosen) < 0 || Number(chosen) >= given.length) throw new TemplateError(`${at}: the value of 'default' is out of range`);
}

function checkBox(at: string, option: unknown): void {
  if (!isMapping(option)) throw new TemplateError(`${at}: should be a dictionary`);
  if (typeof option.label !== 'string' || option.label === '') throw new TemplateError(`${at}: 'label' is required and should be a string`);
  const visible = visibility(at, option.visible);
  switches(at, option, ['required']);
  if (option.required !== undefined && visible && !visible.includes('form')) {
    throw new TemplateError(`${at}: can not require a hidden checkbox`);
  }
}

/** The list unchanged, including unknown words: they are shown nowhere. */
function places(at: string, given: unknown): Field['visible'] {
  if (given === undefined || given === null) return undefined;
  if (!Array.isArray(given) || given.some((place) => typeof place === 'object' && place !== null)) {
    throw new TemplateError(`${at}: 'visible' should be list`);
  }
  return given.map((place) => (place === null ? '' : String(place))) as Field['visible'];
}

function visibility(at: string, given: unknown): Field['visible'] {
  const list = places(at, given);
  if (list === undefined || list.every((place) => PLACES.includes(place))) return list;
  throw new TemplateError(`${at}: 'visible' list can only contain strings of 'form' and 'content'`);
}

function mapping(at: string, name: string, value: unknown): Values | null {
  if (value === undefined || value === null) return null;
  if (!isMapping(value)) throw new TemplateError(`${at}: '${name}' should be a dictionary`);
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function texts(at: string, values: Values, names: readonly string[], required: boolean): void {
  for (const name of names) {
    const value = values[name];
    if (value === undefined && !required) continue;
    if (value === undefined) throw new TemplateError(`${at}: '${name}' is required`);
    if (typeof value !== 'string') throw new TemplateError(`${at}: '${name}' should be a string`);
    if (required && value.trim() === '') throw new TemplateError(`${at}: '${name}' is required`);
  }
}

function switches(at: string, values: Values, names: readonly string[]): void {
  for (const name of names) {
    if (values[name] !== undefined && typeof values[name] !== 'boolean') throw new TemplateError(`${at}: '${name}' should be a bool`);
  }
}
