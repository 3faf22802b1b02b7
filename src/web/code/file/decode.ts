import { isUtf8 } from 'node:buffer';

/** A decoded text file. */
export interface DecodedText {
  readonly text: string;
  /** The name of its encoding. */
  readonly encoding: 'UTF-8' | 'UTF-8 BOM' | 'UTF-16LE' | 'UTF-16BE' | 'Windows-1252';
}

/** Bytes at the beginning that decide whether a file is text, as in git. */
const LOOKED_AT = 8000;

/** Decodes a text; undefined for binary files. */
export function decodeFile(bytes: Buffer): DecodedText | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16LE' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16BE' };
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return undefined;
  if (!isUtf8(bytes)) return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
  const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes);
  return { text, encoding: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'UTF-8 BOM' : 'UTF-8' };
}
