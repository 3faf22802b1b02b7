import { withoutSecretFields, withoutSecretsInText } from '../log/redaction.ts';

const MAX_TEXT = 200;
const MAX_ITEMS = 50;
const MAX_DEPTH = 3;
/** Length limit of the JSON of one entry in characters. */
const MAX_LENGTH = 4096;

/** The details of an entry as JSON: without secrets, with long texts and lists cut, and empty if it is still too long. */
export function detailsJson(details: Readonly<Record<string, unknown>>): string {
  const json = withoutSecretsInText(JSON.stringify(bounded(withoutSecretFields(details), 0)));
  return json.length <= MAX_LENGTH ? json : JSON.stringify({ truncated: Object.keys(details).slice(0, MAX_ITEMS) });
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => bounded(item, depth + 1));
  const fields = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(fields.map(([key, field]) => [key.slice(0, MAX_TEXT), bounded(field, depth + 1)]));
}
