/** The signs that a token may have (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What `filename*` may hold unescaped (RFC 8187, attr-char). */
const ATTRIBUTE = /[^!#$&+.^_`|~0-9A-Za-z-]/g;

/**
 * The header that names a file for who saves it (RFC 6266): quoted where that is needed, with a plain stand-in and `filename*`
 * for what is not ASCII. A file's name never ends the header, nor begins another one.
 * @param name a name or a path, of which the last part counts
 */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const base = name.toWellFormed().split('/').at(-1) ?? '';
  const plain = [...base].map((sign) => (/^[ -~]$/.test(sign) ? sign : '_')).join('');
  const value = TOKEN.test(plain) ? plain : `"${plain.replace(/["\\]/g, '\\$&')}"`;
  const header = `${kind}; filename=${value}`;
  return plain === base ? header : `${header}; filename*=utf-8''${percentEncoded(base)}`;
}

function percentEncoded(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(ATTRIBUTE, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
