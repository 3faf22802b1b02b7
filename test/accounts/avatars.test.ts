import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { findUser } from '../../src/access/find-user.ts';
import { avatarKey } from '../../src/accounts/avatars/avatars.ts';
import { generatedPicture } from '../../src/accounts/avatars/generated.ts';
import { PNG_SIGNATURE, pngChunk } from '../../src/accounts/avatars/png.ts';
import { redrawPicture } from '../../src/accounts/avatars/redraw.ts';
import { processorTime } from '../support/processor-time.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({ avatars: { maxWidth: 64, maxHeight: 64, maxSize: 5000, renderedSize: 16 } });
const alice = await t.user('alice');
const bounds = { maxWidth: 400, maxHeight: 300, renderedSize: 100 };

type Colour = 'red' | 'lime' | 'blue';
const RGB = { red: [255, 0, 0], lime: [0, 255, 0], blue: [0, 0, 255] };

/** Three equal stripes, side by side. */
const stripes = (width: number, height: number, colours: readonly Colour[] = ['red', 'lime', 'blue']) => {
  const pixels = Array.from({ length: width * height }, (_, at) => RGB[colours[Math.floor((at % width) / (width / 3))] ?? 'red']);
  return sharp(Buffer.from(pixels.flat()), { raw: { width, height, channels: 3 } });
};
const png = (width: number, height: number) => stripes(width, height).png().toBuffer();
const jpeg = (width: number, height: number, orientation = 1) =>
  stripes(width, height)
    .jpeg({ quality: 100 })
    .withExif({ IFD0: { Artist: 'Secret name' } })
    .withMetadata({ orientation })
    .toBuffer();
const frame = (background: Colour) =>
  sharp({ create: { width: 60, height: 30, channels: 3, background } })
    .png()
    .toBuffer();
const animated = async (format: 'gif' | 'webp') =>
  sharp(await Promise.all([frame('red'), frame('blue')]), { join: { animated: true } })
    .toFormat(format)
    .toBuffer();

/** A PNG that says it is this large and holds next to nothing. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const data = deflateSync(Buffer.alloc(1000));
  return Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', header), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))]);
}

/** The one of the colours that is at this place. */
async function colourAt(picture: Buffer, x: number, y: number): Promise<Colour | undefined> {
  const [red = 0, green = 0, blue = 0] = await sharp(picture)
    .extract({ left: x, top: y, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer();
  const near = ([r = 0, g = 0, b = 0]: number[]) => Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) < 60;
  return (['red', 'lime', 'blue'] as const).find((name) => near(RGB[name]));
}
const sizeOf = async (picture: Buffer) => {
  const { format, width, height } = await sharp(picture).metadata();
  return [format, width, height];
};
const refused = { status: 422, message: 'the image is not a PNG, JPEG, GIF or WebP' };

describe('redrawn pictures', () => {
  it('are the square in the middle, scaled down', async () => {
    const { type, content } = await redrawPicture(await png(390, 150), bounds);
    assert.deepEqual([type, ...(await sizeOf(content))], ['png', 'png', 100, 100]);
    // The middle 150 of 390 pixels: ten of red, then lime up to the last ten.
    assert.deepEqual(await Promise.all([0, 50, 99].map((x) => colourAt(content, x, 50))), ['red', 'lime', 'blue']);
    assert.equal(await colourAt(content, 12, 50), 'lime');
    const tall = (await redrawPicture(await png(60, 300), bounds)).content;
    assert.deepEqual(await sizeOf(tall), ['png', 60, 60]);
  });

  it('are never larger than they came', async () => {
    for (const size of [1, 30, 99]) {
      assert.deepEqual(await sizeOf((await redrawPicture(await png(size, size), bounds)).content), ['png', size, size]);
    }
  });

  it('keep nothing of a photograph but its pixels, upright', async () => {
    const photograph = await jpeg(90, 90, 6);
    assert.ok(photograph.includes('Exif') && photograph.includes('Secret name'));
    const { type, content } = await redrawPicture(Buffer.concat([photograph, Buffer.from('Secret tail')]), bounds);
    assert.equal(type, 'jpeg');
    for (const word of ['Exif', 'Secret', 'ICC_PROFILE']) assert.ok(!content.includes(word), word);
    const { exif, orientation, icc } = await sharp(content).metadata();
    assert.deepEqual([exif, orientation, icc], [undefined, undefined, undefined]);
    // Turned by a quarter to the right, what was left is on top.
    assert.deepEqual(await Promise.all([10, 45, 80].map((y) => colourAt(content, 45, y))), ['red', 'lime', 'blue']);
  });

  it('keep neither texts of a PNG nor what comes after it', async () => {
    const plain = await png(30, 30);
    const text = pngChunk('tEXt', Buffer.from('Comment\0Secret place'));
    const header = PNG_SIGNATURE.length + 25;
    const told = Buffer.concat([plain.subarray(0, header), text, plain.subarray(header), Buffer.from('Secret tail')]);
    assert.deepEqual((await redrawPicture(told, bounds)).content, (await redrawPicture(plain, bounds)).content);
  });

  it('keep what can be seen through', async () => {
    const glass = sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } } });
    const { content } = await redrawPicture(await glass.webp({ lossless: true }).toBuffer(), bounds);
    assert.equal((await sharp(content).stats()).isOpaque, false);
  });

  it('are the first frame of what moves', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const moving = await animated(format);
      assert.equal((await sharp(moving, { pages: -1 }).metadata()).pages, 2);
      const { type, content } = await redrawPicture(moving, bounds);
      assert.deepEqual([type, ...(await sizeOf(content))], ['png', 'png', 30, 30]);
      assert.equal(await colourAt(content, 15, 15), 'red');
    }
  });

  it('have bounds that are asked before any pixel is decoded', async () => {
    for (const [width, height] of [
      [50_000, 50_000],
      [401, 1],
      [1, 301],
    ] as const) {
      const redraw = () =>
        assert.rejects(redrawPicture(bomb(width, height), bounds), {
          status: 422,
          message: `the image has ${width} × ${height} pixels, more than 400 × 300`,
        });
      assert.ok((await processorTime(redraw)) < 1000);
    }
    const giant = await animated('gif');
    const descriptor = giant.indexOf(Buffer.from('2c00000000', 'hex'));
    giant.writeUInt16LE(65_535, descriptor + 5);
    giant.writeUInt16LE(65_535, descriptor + 7);
    await assert.rejects(redrawPicture(giant, bounds), { status: 422, message: /65535 × 65535 pixels/ });
  });

  it('are refused when they are cut off or damaged, and the next one is drawn all the same', async () => {
    for (const whole of [await png(90, 90), await jpeg(90, 90), await stripes(90, 90).gif().toBuffer(), await animated('webp')]) {
      for (const part of [0.1, 0.3, 0.6]) {
        await assert.rejects(redrawPicture(whole.subarray(0, whole.length * part), bounds), refused, whole.toString('latin1', 0, 6));
      }
    }
    await assert.rejects(redrawPicture(bomb(100, 100), bounds), refused);
    const [bad, good] = await Promise.allSettled([redrawPicture(Buffer.from('no'), bounds), redrawPicture(await png(9, 9), bounds)]);
    assert.deepEqual([bad.status, good.status], ['rejected', 'fulfilled']);
  });

  it('are refused in every other format', async () => {
    const others = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      await stripes(30, 30).tiff().toBuffer(),
      await stripes(30, 30).avif().toBuffer(),
      Buffer.from('P3 1 1 255 1 1 1\n'),
      Buffer.from('GIF89a'),
      Buffer.from('<script>'),
      Buffer.alloc(0),
    ];
    for (const bytes of others) await assert.rejects(redrawPicture(bytes, bounds), refused, bytes.toString('latin1', 0, 20));
  });
});

describe('generated pictures', () => {
  it('are the same for the same seed, and whole', async () => {
    const seed = 'abcdef0123456789abcdef0123456789';
    const picture = generatedPicture(seed);
    assert.deepEqual(picture, generatedPicture(seed));
    assert.notDeepEqual(picture, generatedPicture(seed.replace('a', 'b')));
    assert.deepEqual(await sizeOf(picture), ['png', 280, 280]);
    assert.equal((await sharp(picture, { failOn: 'warning' }).raw().toBuffer()).length % (280 * 280), 0);
  });
});

describe('avatars', () => {
  const post = (bytes: Buffer | string) =>
    alice.post('/user/avatar', { image: typeof bytes === 'string' ? bytes : bytes.toString('base64') });
  const address = async () => `/${new URL((await alice.must('GET', '/user')).avatar_url).pathname}`;

  it('are served where the user says', async () => {
    const first = await t.anonymous.get(await address());
    assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/png']);
    assert.equal((await post(await png(60, 30))).status, 204);
    const second = await t.anonymous.get(await address());
    assert.deepEqual([second.headers.get('content-type'), ...(await sizeOf(second.bytes))], ['image/png', 'png', 16, 16]);
    assert.equal(second.headers.get('x-content-type-options'), 'nosniff');
    assert.match(second.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.match(second.headers.get('cache-control') ?? '', /immutable/);
    const again = await t.anonymous.get(await address(), { headers: { 'if-none-match': second.headers.get('etag') ?? '' } });
    assert.equal(again.status, 304);
  });

  it('replace each other and leave nothing behind', async () => {
    const before = await findUser(t.context.db, 'alice');
    assert.ok(before?.avatar);
    assert.equal((await post(await jpeg(30, 30))).status, 204);
    assert.equal(await t.context.storage.info(avatarKey(before.avatar)), undefined);
    assert.equal((await t.anonymous.get(await address())).headers.get('content-type'), 'image/jpeg');
    assert.equal((await alice.delete('/user/avatar')).status, 204);
    assert.equal((await alice.delete('/user/avatar')).status, 204);
    assert.equal((await t.anonymous.get(await address())).headers.get('content-type'), 'image/png');
  });

  it('are refused when they are none or too large', async () => {
    for (const [image, status] of [
      ['not base64!', 400],
      ['YWJj', 422],
      [await png(65, 10), 422],
      [await png(10, 65), 422],
      [bomb(60_000, 60_000), 422],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 422],
      [(await jpeg(30, 30)).subarray(0, 400), 422],
      [Buffer.concat([await png(10, 10), Buffer.alloc(5000)]), 422],
      ['A'.repeat(20_000), 413],
    ] as const) {
      assert.equal((await post(image)).status, status, image.toString('latin1', 0, 20));
    }
    assert.equal((await findUser(t.context.db, 'alice'))?.avatar, '');
  });

  it('are found by their names alone', async () => {
    for (const name of ['x', '..%2Fcopse.db', 'a'.repeat(64), `${'a'.repeat(64)}.png`, `${'a'.repeat(64)}.svg`]) {
      assert.equal((await t.anonymous.get(`//avatars/${name}`)).status, 404, name);
    }
  });
});
