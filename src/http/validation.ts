import { unprocessable } from './errors.ts';
import { resolve, type SchemaNode } from './schema-node.ts';

/** Default length limit of a text: lists show fifty of them at once. */
const MAX_TEXT = 1_000_000;
/** Maximum number of items of a list: less than the variables that a statement may have. */
const MAX_ITEMS = 20_000;
/** Maximum number of members of a map. */
const MAX_MEMBERS = 1000;

/** Whether a list or a map is longer than any may be. */
export function isTooLong({ type, properties }: SchemaNode, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > MAX_ITEMS;
  const isMap = type === 'object' && !properties && typeof value === 'object' && value !== null;
  return isMap && Object.keys(value).length > MAX_MEMBERS;
}

/**
 * Validates a value against its shape: required fields, lengths, ranges, the form of e-mail addresses and names.
 * @throws HttpError 422 `[Field]: Reason` for the first invalid field
 */
export function validate(node: SchemaNode, value: unknown): void {
  if (typeof value !== 'object' || value === null || !node.properties) return;
  for (const [name, property] of Object.entries(node.properties)) {
    const field = (value as Record<string, unknown>)[name];
    const fault = faultOf(property, field, node.needed?.includes(name) ?? false);
    if (fault) throw unprocessable(`[${goNameOf(property, name)}]: ${fault}`);
    validate(resolve(property), field);
    if (!Array.isArray(field) || !property.items) continue;
    const items = resolve(property.items);
    for (const item of field) {
      if (typeof item === 'string' && isLonger(item, items.maxLength ?? MAX_TEXT))
        throw unprocessable(`[${goNameOf(property, name)}]: MaxSize`);
      validate(items, item);
    }
  }
}

/** The name of a field in error messages. */
export function goNameOf({ goName: given }: SchemaNode, name: string): string {
  return given ?? goName(name);
}

function faultOf(node: SchemaNode, value: unknown, required: boolean): string | undefined {
  if (required && isZero(value)) return 'Required';
  if (typeof value === 'string') {
    if (node.rule && value !== '' && !RULES[node.rule]?.(value, node)) return node.rule === 'Username' ? 'invalid username' : node.rule;
    if (node.minLength !== undefined && length(value) < node.minLength && value !== '') return 'MinSize';
    if (!node.unbounded && isLonger(value, node.maxLength ?? MAX_TEXT)) return 'MaxSize';
  }
  if (isTooLong(resolve(node), value)) return 'MaxSize';
  if (typeof value === 'number') {
    if (node.minimum !== undefined && value < node.minimum) return 'Range';
    if (node.maximum !== undefined && value > node.maximum) return 'Range';
  }
  return undefined;
}

function isZero(value: unknown): boolean {
  return value === undefined || value === '' || value === 0;
}

/** Whether a text has more characters than this; a character has one or two UTF-16 units. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && (text.length > 2 * limit || length(text) > limit);
}

function length(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** `dot.atoms@labels.of.a.domain` (RFC 5322, without quotes, comments and address literals). */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return (
    at > 0 &&
    labels.length > 1 &&
    labels.every((label) => /^\w(?:[\w-]*\w)?$/.test(label)) &&
    text
      .slice(0, at)
      .split('.')
      .every((atom) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(atom))
  );
}

const RULES: Record<string, (text: string, node: SchemaNode) => boolean> = {
  AlphaDash: (text) => /^[\w-]+$/.test(text),
  AlphaDashDot: (text) => /^[\w.-]+$/.test(text),
  Username: (text) => /^[\da-zA-Z][-.\w]*$/.test(text) && !/[-._]{2,}|[-._]$/.test(text),
  GitRefName: (text) => !/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|\.lock$|^-/.test(text),
  GlobPattern: (text) => text.length <= 1000 && !/[\x00-\x1f\x7f]/.test(text),
  Email: isEmail,
  Url: (text) => URL.canParse(text) && /^https?:/i.test(text),
  In: (text, node) => (node.allowed ?? node.enum)?.includes(text) ?? true,
};

/** `new_branch_name` → `NewBranchName`: the name of a field in error messages and the description. */
export function goName(name: string): string {
  return name
    .replace(/(^|_)([a-z0-9])/g, (_, _underscore, letter: string) => letter.toUpperCase())
    .replace(/Url$/, 'URL')
    .replace(/Id$/, 'ID');
}
