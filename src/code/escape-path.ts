/** What needs no escape in any part of a path. */
const PLAIN = /^[\w.~/-]*$/;

/**
 * A path of files or a ref's name for an address, each part escaped and the slashes kept. Of the signs that RFC 3986 allows in a
 * path, `$ & + : = @` are written as they are; clients compare addresses letter by letter.
 */
export function escapePath(path: string): string {
  if (PLAIN.test(path)) return path;
  return path
    .split('/')
    .map((part) =>
      encodeURIComponent(part.toWellFormed())
        .replace(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent)
        .replace(/[!'()*]/g, escapeSign),
    )
    .join('/');
}

/** A value for a query, a blank written as `+`. */
export function escapeQuery(value: string): string {
  if (/^[\w.~-]*$/.test(value)) return value;
  return encodeURIComponent(value.toWellFormed())
    .replace(/[!'()*]/g, escapeSign)
    .replaceAll('%20', '+');
}

function escapeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
