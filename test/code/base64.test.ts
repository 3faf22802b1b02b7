import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decodeBase64 } from '../../src/code/contents/base64.ts';
import { holdsAsync, textOf } from '../support/property.ts';

describe('base64 of contents', () => {
  it('has the bytes that were encoded, with line ends or without', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 100 }), async (bytes, width) => {
      const text = Buffer.from(bytes)
        .toString('base64')
        .replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n');
      assert.deepEqual(await decodeBase64(text), Buffer.from(bytes));
    });
    await holdsAsync(property);
  });

  it('is refused where it has anything else', async () => {
    const property = fc.asyncProperty(textOf(['QUJD', 'QQ', '=', '==', '-', '_', ' ', '\n', 'é', 'A']), async (text) => {
      // RFC 4648, 4: groups of four, of which the last may be padded, and nothing else.
      const isEncoded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/[\r\n]/g, ''));
      if (isEncoded) assert.deepEqual(await decodeBase64(text), Buffer.from(text, 'base64'));
      else await assert.rejects(decodeBase64(text), { status: 422 });
    });
    await holdsAsync(property, 2000);
  });

  it('is decoded piece by piece where it is long, also with line ends', async () => {
    const bytes = Buffer.from(Array.from({ length: 2_000_003 }, (_, at) => (at * 7) % 251));
    const text = bytes.toString('base64');
    assert.ok((await decodeBase64(text)).equals(bytes));
    assert.ok((await decodeBase64(text.replace(/.{76}/g, '$&\n'))).equals(bytes));
    const [at, end] = [2_000_000, text.length];
    const fault = (position: number) => ({ message: `illegal base64 data at input byte ${position}` });
    await assert.rejects(decodeBase64(`${text.slice(0, at)}!${text.slice(at)}`), fault(at));
    await assert.rejects(decodeBase64(text.slice(0, end - 3)), fault(end - 4));
  });
});
