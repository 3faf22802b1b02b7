import { isDeeperThan, objectOf, textMapOf, textOf, textsOf, webUrlOf, withoutEmpty } from '../../../../../packages/protocol/values.ts';

/** Reads a value of the source with the right type; an empty value for other types. */
export type Reader = (value: unknown) => unknown;

/** Fields as they are stored here: the name in the source if it differs, and the reader of the value. */
export type Shape = Readonly<Record<string, Reader | readonly [name: string, read: Reader]>>;

/** Maximum depth of objects and lists. */
const MAX_DEPTH = 50;

/** A text. */
export const text: Reader = textOf;
/** A text that browsers can open. */
export const webUrl: Reader = webUrlOf;
/** A list of texts. */
export const texts: Reader = (value) => (Array.isArray(value) ? textsOf(value) : []);
/** Texts by their names. */
export const textMap: Reader = textMapOf;
/** Lists of texts by their names. */
export const textsMap: Reader = (value) => mapOf(value, texts);
/** Any object. */
export const object: Reader = (value) => (isDeeperThan(value, MAX_DEPTH) ? {} : objectOf(value));
/** A number that is only stored if it is not 0. */
export const number: Reader = (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value !== 0 ? value : undefined);
/** A flag that is only stored if it is set. */
export const mark: Reader = (value) => value === true || undefined;
/** A flag. */
export const flag: Reader = (value) => value === true;
/** A text; null if there is none. */
export const textOrNull: Reader = (value) => textOf(value) || null;

/** The non-empty fields of an object, each read by its reader. */
export function shape(fields: Shape): Reader {
  return (value) => {
    const given = objectOf(value);
    const read = Object.entries(fields).map(([name, field]) => {
      const [from, reader] = typeof field === 'function' ? [name, field] : field;
      return [name, reader(given[from])] as const;
    });
    return withoutEmpty(Object.fromEntries(read));
  };
}

/** Like {@link shape}, with the empty fields. */
export function fullShape(fields: Readonly<Record<string, Reader>>): Reader {
  return (value) => {
    const given = objectOf(value);
    return Object.fromEntries(Object.entries(fields).map(([name, reader]) => [name, reader(given[name])]));
  };
}

/** A list whose values are read one by one. */
export function list(read: Reader): Reader {
  return (value) => (Array.isArray(value) ? value.map(read) : []);
}

/** An object whose values are read one by one. */
export function map(read: Reader): Reader {
  return (value) => mapOf(value, read);
}

function mapOf(value: unknown, read: Reader): Record<string, unknown> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, item]) => [name, read(item)]));
}
