import type { QueryParameter } from './route.ts';

/**
 * Reads the query parameters that a route takes, the way clients of such a service are used to:
 * a number that makes no sense counts as not given, a truth value that makes none as false.
 */
export function readQuery(search: URLSearchParams, parameters: Record<string, QueryParameter> | undefined): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters ?? {})) {
    if (!search.has(name)) continue;
    const value = readParameter(search.getAll(name), parameter);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function readParameter(given: string[], { type, collectionFormat }: QueryParameter): unknown {
  const first = given[0] ?? '';
  switch (type) {
    case 'integer':
      return /^[+-]?\d{1,19}$/.test(first) && Number.isSafeInteger(Number(first)) ? Number(first) : undefined;
    case 'number':
      return first !== '' && Number.isFinite(Number(first)) ? Number(first) : undefined;
    case 'boolean':
      return readBoolean(first);
    case 'array':
      return collectionFormat === 'multi' ? given : given.flatMap((value) => value.split(',')).filter((value) => value !== '');
    default:
      return first;
  }
}

/** Whatever does not say yes says no; only an empty text says nothing. */
function readBoolean(text: string): boolean | undefined {
  return text === '' ? undefined : /^(1|t|true|on)$/i.test(text);
}
