import { readGif } from './gif.ts';
import { readJpeg } from './jpeg.ts';
import { NoPictureError, type Picture } from './picture.ts';
import { PNG_SIGNATURE, readPng } from './png.ts';
import { readWebp } from './webp.ts';

/**
 * Reads the structure of a picture from beginning to end. Its pixels are not decoded; their number is for the caller to bound.
 * @throws NoPictureError
 */
export function readPicture(bytes: Buffer): Picture {
  const picture = readByFormat(bytes);
  if (picture.width === 0 || picture.height === 0) throw new NoPictureError();
  return picture;
}

function readByFormat(bytes: Buffer): Picture {
  const start = bytes.toString('latin1', 0, 12);
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(bytes);
  if (start.startsWith('\xff\xd8\xff')) return readJpeg(bytes);
  if (/^GIF8[79]a/.test(start)) return readGif(bytes);
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return readWebp(bytes);
  throw new NoPictureError();
}
