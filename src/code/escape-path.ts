/** Paths that need no escaping. */
const PLAIN = /^[\w.~/-]*$/;

/**
 * Escapes a path of files or a ref's name for a URL, except for its slashes. Of the characters that RFC 3986 allows in a
 * path, `$ & + : = @` stay unescaped; clients compare URLs character by character.
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

/** A value for a query, with `+` for a blank. */
export function escapeQuery(value: string): string {
  if (/^[\w.~-]*$/.test(value)) return value;
  return encodeURIComponent(value.toWellFormed())
    .replace(/[!'()*]/g, escapeSign)
    .replaceAll('%20', '+');
}

function escapeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
