/** A signature (OpenPGP or SSH, armored) and the bytes that it signs. */
export interface ObjectSignature {
  readonly signature: string;
  readonly payload: Buffer;
}

const HEADERS = [Buffer.from('gpgsig '), Buffer.from('gpgsig-sha256 ')];
const NEWLINE = 10;
const SPACE = 32;

/**
 * Splits a commit object into its signature and the signed content: the object without the signature's header, whose
 * continuation lines begin with a space. See https://git-scm.com/docs/gitformat-signature
 */
export function takeSignatureHeader(data: Buffer): ObjectSignature | undefined {
  const kept: Buffer[] = [];
  let signature: string | undefined;
  let inSignature = false;
  let at = 0;
  while (at < data.length && data[at] !== NEWLINE) {
    const newline = data.indexOf(NEWLINE, at);
    const end = newline === -1 ? data.length : newline + 1;
    const line = data.subarray(at, end);
    if (line[0] === SPACE && inSignature) signature += line.toString('utf8', 1);
    else {
      const header = HEADERS.find((word) => line.subarray(0, word.length).equals(word));
      inSignature = header !== undefined;
      if (header) signature = line.toString('utf8', header.length);
    }
    if (!inSignature) kept.push(line);
    at = end;
  }
  if (signature === undefined) return undefined;
  kept.push(data.subarray(at));
  return { signature: signature.replace(/\n$/, ''), payload: Buffer.concat(kept) };
}

/** The beginning of a signature at the end of a tag's message. */
const ARMOR = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/gm;

/**
 * Splits a tag object into its message, signature and signed content: the armor at the end of the object, and everything before it.
 * The newline before the armor is signed, but not part of the message.
 * @param messageStart the offset of the message in `data`
 */
export function takeTrailingSignature(data: Buffer, messageStart: number): { message: Buffer; signature: ObjectSignature | undefined } {
  const text = data.toString('latin1', messageStart);
  const last = [...text.matchAll(ARMOR)].at(-1);
  if (!last) return { message: data.subarray(messageStart), signature: undefined };
  const start = messageStart + last.index;
  const end = data[start - 1] === NEWLINE ? Math.max(messageStart, start - 1) : start;
  const signature = data.toString('utf8', start).replace(/\n$/, '');
  return { message: data.subarray(messageStart, end), signature: { signature, payload: data.subarray(0, start) } };
}
