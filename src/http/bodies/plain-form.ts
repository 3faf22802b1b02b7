/** A part of a form. */
export interface FormPart {
  readonly name: string;
  /** Of a file; undefined for a field. Empty if the client sends none. */
  readonly fileName: string | undefined;
  readonly content: Buffer;
}

/** Fields without a file name are also files if they have this type. */
const BYTES = 'application/octet-stream';
const BOUNDARY = /^multipart\/form-data; ?boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i;
const HEADERS =
  /^content-disposition: form-data; name="([^"\\\r\n]*)"(?:; filename="([^"\\/\r\n]*)")?(?:\r\ncontent-type: ([\w.+/-]+))?\r\n\r\n/i;
/** Size limit of the headers of a part in bytes. */
const MAX_HEADERS = 1024;
const MAX_PARTS = 200;

/**
 * The parts of a form in the usual syntax, with its body in memory: reading it part by part as a stream is many times slower.
 * Undefined for a form in another syntax, or an invalid one: the general parser has to read it.
 */
export function readPlainForm(body: Buffer, contentType: string): FormPart[] | undefined {
  const boundary = BOUNDARY.exec(contentType)?.[2];
  if (boundary === undefined) return undefined;
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  // The first one has no line before it.
  if (body.indexOf(delimiter.subarray(2)) !== 0) return undefined;
  const parts: FormPart[] = [];
  for (let at = delimiter.length - 2; ; ) {
    const end = body.toString('latin1', at, at + 4);
    if (end === '--' || end === '--\r\n') return at + end.length === body.length ? parts : undefined;
    const next = body.indexOf(delimiter, at + 2);
    const part = next >= 0 && end.startsWith('\r\n') && parts.length < MAX_PARTS ? readPart(body.subarray(at + 2, next)) : undefined;
    if (!part) return undefined;
    parts.push(part);
    at = next + delimiter.length;
  }
}

function readPart(part: Buffer): FormPart | undefined {
  const [head, name = '', fileName, type] = HEADERS.exec(part.toString('latin1', 0, MAX_HEADERS)) ?? [];
  if (head === undefined || fileName === '.' || fileName === '..') return undefined;
  const isFile = fileName !== undefined || type?.toLowerCase() === BYTES;
  return { name: utf8(name), fileName: isFile ? utf8(fileName ?? '') : undefined, content: part.subarray(head.length) };
}

function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
