import { isDeeperThan, objectOf, textMapOf, textOf, textsOf, webUrlOf, withoutEmpty } from '../../../../../packages/protocol/values.ts';

/** Takes from a value of the source what is of the right type; an empty value for what is not. */
export type Reader = (value: unknown) => unknown;

/** Fields as they are stored here: the name in the source where it is another, and what is read. */
export type Shape = Readonly<Record<string, Reader | readonly [name: string, read: Reader]>>;

/** Objects and lists within each other. */
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
/** A number that is kept only when it is not 0. */
export const number: Reader = (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value !== 0 ? value : undefined);
/** A flag that is kept only when it is set. */
export const mark: Reader = (value) => value === true || undefined;
/** A flag. */
export const flag: Reader = (value) => value === true;
/** A text that is null where there is none. */
export const textOrNull: Reader = (value) => textOf(value) || null;

/** What the fields of an object are read as, without those that are empty. */
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

/** As {@link shape}, with the fields that are empty. */
export function fullShape(fields: Readonly<Record<string, Reader>>): Reader {
  return (value) => {
    const given = objectOf(value);
    return Object.fromEntries(Object.entries(fields).map(([name, reader]) => [name, reader(given[name])]));
  };
}

/** A list, of whose values each is read. */
export function list(read: Reader): Reader {
  return (value) => (Array.isArray(value) ? value.map(read) : []);
}

/** An object, of whose values each is read. */
export function map(read: Reader): Reader {
  return (value) => mapOf(value, read);
}

function mapOf(value: unknown, read: Reader): Record<string, unknown> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, item]) => [name, read(item)]));
}
