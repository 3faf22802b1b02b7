import { boundedInteger } from '../../text/bounded-integer.ts';
import type { QueryParameter } from '../route.ts';

/**
 * Reads the query parameters of a route as leniently as clients of such a service expect: an invalid number counts as missing, an invalid
 * boolean as false.
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
      return boundedInteger(first);
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

/** Everything that does not mean true is false; only an empty text is missing. */
function readBoolean(text: string): boolean | undefined {
  return text === '' ? undefined : /^(1|t|true|on)$/i.test(text);
}
