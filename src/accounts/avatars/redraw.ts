import { unprocessable } from '../../http/errors.ts';
import type { Settings } from '../../settings.ts';

/** An image that was redrawn, in the format of its type. */
export interface Picture {
  readonly type: 'png' | 'jpeg';
  readonly content: Buffer;
}

type Bounds = Pick<Settings['avatars'], 'maxWidth' | 'maxHeight' | 'renderedSize'>;

/** Far more than the largest image within the default limits takes. */
const DEADLINE_SECONDS = 10;

/** Decoders of the accepted formats; all others of the library stay blocked. */
const DECODERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadNsgifBuffer', 'VipsForeignLoadWebpBuffer'];

let last: Promise<unknown> = Promise.resolve();
let library: ReturnType<typeof loadSharp> | undefined;

/**
 * Redraws a PNG, JPEG, GIF or WebP: the square in its middle, upright, scaled down to the size of the settings but never up; the first frame
 * of an animation. Only the pixels of the file are kept. A JPEG stays one, since it would be many times larger as PNG.
 * @throws HttpError 422 for a file that is invalid, truncated or has too many pixels
 */
export function redrawPicture(bytes: Buffer, bounds: Bounds): Promise<Picture> {
  // One at a time: decoding an image of few bytes may take a hundred megabytes.
  const drawn = last.then(() => redraw(bytes, bounds));
  last = drawn.catch(() => undefined);
  return drawn;
}

async function redraw(bytes: Buffer, { maxWidth, maxHeight, renderedSize }: Bounds): Promise<Picture> {
  library ??= loadSharp();
  const sharp = await library;
  // Only the header is read here, so it needs no limit.
  const { format, width, height } = await orRefuse(() => sharp(bytes, { limitInputPixels: false }).metadata());
  if (width > maxWidth || height > maxHeight) {
    throw unprocessable(`the image has ${width} × ${height} pixels, more than ${maxWidth} × ${maxHeight}`);
  }
  const type = format === 'jpeg' ? 'jpeg' : 'png';
  const side = Math.min(renderedSize, width, height);
  const draw = () =>
    sharp(bytes, { limitInputPixels: maxWidth * maxHeight, failOn: 'error' })
      .timeout({ seconds: DEADLINE_SECONDS })
      .autoOrient()
      .resize(side, side, { fit: 'cover', position: 'centre' })
      .toFormat(type, type === 'jpeg' ? { quality: 90 } : {})
      .toBuffer();
  return { type, content: await orRefuse(draw) };
}

async function orRefuse<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw unprocessable('the image is not a PNG, JPEG, GIF or WebP');
  }
}

/** The library with its limits; loaded with the first upload, since it takes memory that most servers never need. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
