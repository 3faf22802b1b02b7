import { isUtf8 } from 'node:buffer';

/** How many bytes are examined. */
export const SNIFFED_BYTES = 1024;

/** The signatures of files that browsers display: https://mimesniff.spec.whatwg.org/#matching-a-mime-type-pattern */
const BEGINNINGS: readonly (readonly [type: string, bytes: string, offset?: number])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['image/bmp', 'BM'],
  ['image/x-icon', '\0\0\x01\0'],
  ['image/x-icon', '\0\0\x02\0'],
  ['application/pdf', '%PDF-'],
  ['audio/midi', 'MThd\0\0\0\x06'],
  ['audio/basic', '.snd'],
  ['video/webm', '\x1a\x45\xdf\xa3'],
];

/** The signatures of archives, fonts and modules, which no browser runs by itself. */
const STORED: readonly (readonly [type: string, bytes: string, offset?: number])[] = [
  ['application/zip', 'PK\x03\x04'],
  ['application/x-gzip', '\x1f\x8b\x08'],
  ['application/x-rar-compressed', 'Rar!\x1a\x07'],
  ['application/wasm', '\0asm'],
  ['font/ttf', '\0\x01\0\0'],
  ['font/otf', 'OTTO'],
  ['font/collection', 'ttcf'],
  ['font/woff', 'wOFF'],
  ['font/woff2', 'wOF2'],
  ['application/vnd.ms-fontobject', 'LP', 34],
];

/** Bytes that do not occur in text. */
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/**
 * The media type that user content may be served as: images, audio, video and PDF by their signature, all text as `text/plain`, so that
 * no browser runs any of it, everything else as `application/octet-stream`.
 * @param head the first {@link SNIFFED_BYTES} bytes
 */
export function servableType(head: Buffer): string {
  const text = head.toString('latin1', 0, SNIFFED_BYTES);
  const shown = BEGINNINGS.find(([, bytes, offset = 0]) => text.startsWith(bytes, offset))?.[0] ?? containerType(head, text);
  if (shown) return shown;
  if (isSvg(text)) return 'image/svg+xml';
  // PostScript is a program.
  if (text.startsWith('%!PS-Adobe-')) return 'application/octet-stream';
  const encoding = encodingOf(head.subarray(0, SNIFFED_BYTES), text);
  return encoding === undefined ? 'application/octet-stream' : `text/plain; charset=${encoding}`;
}

/** {@link servableType}, which also distinguishes archives, fonts and modules. */
export function preciseType(head: Buffer): string {
  const type = servableType(head);
  if (type !== 'application/octet-stream') return type;
  const text = head.toString('latin1', 0, SNIFFED_BYTES);
  return STORED.find(([, bytes, offset = 0]) => text.startsWith(bytes, offset))?.[0] ?? type;
}

function containerType(head: Buffer, text: string): string | undefined {
  const format = text.slice(8, 12);
  if (text.startsWith('RIFF')) {
    if (format === 'WAVE') return 'audio/wave';
    if (format === 'AVI ') return 'video/avi';
    return text.startsWith('WEBPVP', 8) ? 'image/webp' : undefined;
  }
  if (text.startsWith('FORM') && format === 'AIFF') return 'audio/aiff';
  if (text.startsWith('OggS\0')) return /theora|dirac/.test(text.slice(0, 256)) ? 'video/ogg' : 'audio/ogg';
  if (text.startsWith('ID3')) return BINARY.test(text.slice(3)) ? 'audio/mpeg' : undefined;
  if (!text.startsWith('ftyp', 4) || head.length < 12) return undefined;
  const size = head.readUInt32BE(0);
  const brands = text.slice(8, Math.min(size, text.length));
  if (brands.includes('avif')) return 'image/avif';
  return size <= head.length && size % 4 === 0 && hasMp4(brands) ? 'video/mp4' : undefined;
}

/** Whether one of the brands, of four characters each, is a version of MP4; the second is a version number. */
function hasMp4(brands: string): boolean {
  for (let at = 0; at < brands.length; at += 4) if (at !== 4 && brands.startsWith('mp4', at)) return true;
  return false;
}

function isSvg(text: string): boolean {
  const bare = text
    .replace(/^\xef\xbb\xbf/, '')
    .replace(/<!--.*?-->/gs, '')
    .trimStart();
  return /^(?:<\?xml\b[^>]*\?>\s*)?(?:<!DOCTYPE\s+svg\b[^>]*>\s*)*<svg\b/i.test(bare);
}

/** The encoding of a text; undefined if the bytes are not text. */
function encodingOf(head: Buffer, text: string): string | undefined {
  if (text.startsWith('\xff\xfe')) return 'utf-16le';
  if (text.startsWith('\xfe\xff')) return 'utf-16be';
  if (BINARY.test(text)) return undefined;
  return isUtf8(head.length < SNIFFED_BYTES ? head : withoutCutEnd(head)) ? 'utf-8' : 'iso-8859-1';
}

/** Drops an incomplete character at the end of the examined bytes. */
function withoutCutEnd(bytes: Buffer): Buffer {
  for (let end = bytes.length - 1; end >= 0 && end > bytes.length - 5; end--) {
    const byte = bytes[end] ?? 0;
    if (byte >= 0xc0) return bytes.subarray(0, end);
    if (byte < 0x80) break;
  }
  return bytes;
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * A policy under which nothing in the file runs. Some browsers show no PDF in a sandbox (its scripts reach nothing anyway), and none plays
 * audio or video if everything is forbidden.
 */
export function policyFor(type: string): { 'content-security-policy'?: string } {
  if (/^(?:audio|video)\//.test(type)) return {};
  return { 'content-security-policy': type === 'application/pdf' ? POLICY : `${POLICY}; sandbox` };
}
