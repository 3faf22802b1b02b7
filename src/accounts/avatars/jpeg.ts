import { NoPictureError, type Picture } from './picture.ts';

/** Markers of ITU-T T.81, table B.1. */
const MARKER = { soi: 0xd8, eoi: 0xd9, sos: 0xda, app0: 0xe0, app1: 0xe1, app2: 0xe2, app14: 0xee, app15: 0xef, com: 0xfe };

/** Application segments that change how the picture looks: JFIF, the colour profile, Adobe's colour transform. */
const KEPT_APPS = new Set([MARKER.app0, MARKER.app2, MARKER.app14]);

/** Reads a JPEG segment by segment and keeps those that show the picture; of Exif only which side is up. */
export function readJpeg(bytes: Buffer): Picture {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let at = 2;
  let size: { width: number; height: number } | undefined;
  let hasScan = false;
  for (;;) {
    const marker = markerAt(bytes, at);
    if (marker === MARKER.eoi) break;
    const end = at + 2 + lengthAt(bytes, at + 2);
    const segment = bytes.subarray(at, end);
    if (isFrame(marker)) {
      if (size || segment.length < 10) throw new NoPictureError();
      size = { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
    }
    if (marker === MARKER.app1) kept.push(...orientationSegment(segment));
    else if (!isDropped(marker)) kept.push(segment);
    at = end;
    if (marker !== MARKER.sos) continue;
    if (!size) throw new NoPictureError();
    hasScan = true;
    at = endOfScan(bytes, at);
    kept.push(bytes.subarray(end, at));
  }
  if (!size || !hasScan) throw new NoPictureError();
  kept.push(Buffer.from([0xff, MARKER.eoi]));
  return { type: 'jpeg', ...size, content: Buffer.concat(kept) };
}

function markerAt(bytes: Buffer, at: number): number {
  const marker = bytes[at + 1];
  if (bytes[at] !== 0xff || marker === undefined || marker < 0xc0 || marker === 0xff || marker === MARKER.soi) throw new NoPictureError();
  return marker;
}

function lengthAt(bytes: Buffer, at: number): number {
  const length = at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0;
  if (length < 2 || at + length > bytes.length) throw new NoPictureError();
  return length;
}

/** Start of frame, whose markers lie between other ones. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isDropped(marker: number): boolean {
  return marker === MARKER.com || (marker >= MARKER.app0 && marker <= MARKER.app15 && !KEPT_APPS.has(marker));
}

/** Where the coded data ends: at a marker that is neither a stuffed zero nor a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new NoPictureError();
}

/** A segment that says which side is up (Exif 2.3, 4.6.4, tag 274), made anew; none for a picture that stands upright. */
function orientationSegment(segment: Buffer): Buffer[] {
  const orientation = readOrientation(segment.subarray(4));
  if (orientation < 2 || orientation > 8) return [];
  const header = Buffer.from('ffe100224578696600004d4d002a00000008000101120003000000010000000000000000', 'hex');
  header.writeUInt16BE(orientation, 28);
  return [header];
}

function readOrientation(exif: Buffer): number {
  if (exif.length < 14 || exif.toString('latin1', 0, 6) !== 'Exif\0\0') return 1;
  const tiff = exif.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = Math.min(short(directory), 200);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (short(at) === 0x0112) return short(at + 8);
  }
  return 1;
}
