import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decodeBase64 } from '../../src/code/contents/base64.ts';
import { holds, textOf } from '../support/property.ts';

describe('base64 of contents', () => {
  it('has the bytes that were encoded, with line ends or without', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 100 }), (bytes, width) => {
      const text = Buffer.from(bytes)
        .toString('base64')
        .replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n');
      assert.deepEqual(decodeBase64(text), Buffer.from(bytes));
    });
    holds(property);
  });

  it('is refused where it has anything else', () => {
    const property = fc.property(textOf(['QUJD', 'QQ', '=', '==', '-', '_', ' ', '\n', 'é', 'A']), (text) => {
      // RFC 4648, 4: groups of four, of which the last may be padded, and nothing else.
      const isEncoded = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/[\r\n]/g, ''));
      if (isEncoded) assert.deepEqual(decodeBase64(text), Buffer.from(text, 'base64'));
      else assert.throws(() => decodeBase64(text), { status: 422 });
    });
    holds(property, 2000);
  });
});
