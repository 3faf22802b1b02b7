import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';
import { avatarKey } from '../../src/accounts/avatars/avatars.ts';
import { generatedPicture } from '../../src/accounts/avatars/generated.ts';
import { PNG_SIGNATURE, pngChunk } from '../../src/accounts/avatars/png.ts';
import { readPicture } from '../../src/accounts/avatars/read-picture.ts';
import { findUser } from '../../src/accounts/find.ts';
import { testServer } from '../support/server.ts';

const t = await testServer({ avatars: { maxWidth: 64, maxHeight: 64, maxSize: 5000 } });
const alice = await t.user('alice');

function png(width: number, height: number, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const data = deflateSync(Buffer.alloc(height * (width + 1)));
  return Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', header), ...more, pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))]);
}

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};
function jpeg(...apps: Buffer[]): Buffer {
  const frame = segment(0xc0, Buffer.from([8, 0, 20, 0, 10, 1, 1, 0x11, 0]));
  const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3])]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...apps, frame, scan, Buffer.from([0xff, 0xd9])]);
}
const exif = (orientation: number) => {
  const little = Buffer.from('45786966000049492a000800000002000f010200040000005365637212010300010000000000000000000000', 'hex');
  little.writeUInt16LE(orientation, 36);
  return segment(0xe1, little);
};
const gif = (...extensions: Buffer[]) =>
  Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([10, 0, 20, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...extensions,
    Buffer.from([0x2c, 0, 0, 0, 0, 10, 0, 20, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
  ]);
const riff = (type: string, data: Buffer) => {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};
const webp = (...chunks: Buffer[]) => riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
const lossless = riff('VP8L', Buffer.from([0x2f, 9, 0xc0, 4, 0, 0, 0]));

describe('reading pictures', () => {
  it('knows the formats and their sizes', () => {
    for (const [bytes, type] of [
      [png(10, 20), 'png'],
      [jpeg(), 'jpeg'],
      [gif(), 'gif'],
      [webp(lossless), 'webp'],
    ] as const) {
      const picture = readPicture(bytes);
      assert.deepEqual([picture.type, picture.width, picture.height], [type, 10, 20]);
      assert.deepEqual(picture.content, bytes);
    }
  });

  it('leaves out what is not the picture', () => {
    const secret = Buffer.from('Secret place');
    const extended = riff('VP8X', Buffer.from([0x2c, 0, 0, 0, 9, 0, 0, 19, 0, 0]));
    for (const bytes of [
      Buffer.concat([png(10, 20, pngChunk('tEXt', secret), pngChunk('eXIf', secret)), secret]),
      Buffer.concat([jpeg(segment(0xe1, secret), segment(0xfe, secret), segment(0xed, secret)), secret]),
      Buffer.concat([gif(Buffer.concat([Buffer.from([0x21, 0xfe, secret.length]), secret, Buffer.from([0])])), secret]),
      Buffer.concat([webp(extended, lossless, riff('EXIF', secret), riff('XMP ', secret)), secret]),
    ]) {
      const { content } = readPicture(bytes);
      assert.ok(!content.includes('Secret'));
      assert.deepEqual(readPicture(content).content, content);
    }
  });

  it('keeps which side of a photograph is up, and nothing else of Exif', () => {
    const { content } = readPicture(jpeg(exif(6)));
    assert.ok(content.includes('Exif') && !content.includes('Secr'));
    assert.equal(content.readUInt16BE(content.indexOf('Exif') + 24), 6);
    assert.ok(!readPicture(jpeg(exif(1))).content.includes('Exif'));
  });

  it('refuses what ends early or is damaged', () => {
    for (const whole of [png(10, 20), jpeg(exif(3)), gif(), webp(lossless)]) {
      for (let length = 0; length < whole.length; length++) {
        assert.throws(
          () => readPicture(whole.subarray(0, length)),
          /^(NoPictureError|RangeError)/,
          `${length} of ${whole.toString('latin1', 0, 6)}`,
        );
      }
    }
    const damaged = png(10, 20);
    damaged.writeUInt8(9, 19);
    assert.throws(() => readPicture(damaged));
    for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a', 'BM', '<script>'])
      assert.throws(() => readPicture(Buffer.from(text)));
    assert.throws(() => readPicture(png(0, 20)));
  });
});

describe('generated pictures', () => {
  it('are the same for the same seed, and whole', () => {
    const seed = 'abcdef0123456789abcdef0123456789';
    const picture = generatedPicture(seed);
    assert.deepEqual(picture, generatedPicture(seed));
    assert.notDeepEqual(picture, generatedPicture(seed.replace('a', 'b')));
    assert.deepEqual([readPicture(picture).width, readPicture(picture).height], [280, 280]);
    const at = picture.indexOf('IDAT');
    assert.equal(inflateSync(picture.subarray(at + 4, at + 4 + picture.readUInt32BE(at - 4))).length, 280 * 36);
  });
});

describe('avatars', () => {
  const post = (bytes: Buffer | string) =>
    alice.post('/user/avatar', { image: typeof bytes === 'string' ? bytes : bytes.toString('base64') });
  const address = async () => `/${new URL((await alice.must('GET', '/user')).avatar_url).pathname}`;

  it('are served where the user says', async () => {
    const first = await t.anonymous.get(await address());
    assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/png']);
    assert.equal((await post(png(10, 20))).status, 204);
    const second = await t.anonymous.get(await address());
    assert.deepEqual(second.bytes, png(10, 20));
    assert.equal(second.headers.get('x-content-type-options'), 'nosniff');
    assert.match(second.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.match(second.headers.get('cache-control') ?? '', /immutable/);
    const again = await t.anonymous.get(await address(), { headers: { 'if-none-match': second.headers.get('etag') ?? '' } });
    assert.equal(again.status, 304);
  });

  it('replace each other and leave nothing behind', async () => {
    const before = await findUser(t.context.db, 'alice');
    assert.ok(before?.avatar);
    assert.equal((await post(jpeg())).status, 204);
    assert.equal(await t.context.storage.info(avatarKey(before.avatar)), undefined);
    assert.equal((await t.anonymous.get(await address())).headers.get('content-type'), 'image/jpeg');
    assert.equal((await alice.delete('/user/avatar')).status, 204);
    assert.equal((await alice.delete('/user/avatar')).status, 204);
    assert.equal((await t.anonymous.get(await address())).headers.get('content-type'), 'image/png');
  });

  it('are refused when they are none or too large (lesson 25)', async () => {
    for (const [image, status] of [
      ['not base64!', 400],
      ['YWJj', 422],
      [png(65, 10), 422],
      [png(10, 65), 422],
      [Buffer.concat([png(10, 10), Buffer.alloc(5000)]), 422],
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
