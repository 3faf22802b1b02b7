import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { qrCode } from '../../src/text/qr-code.ts';

const hash = (text: string) => {
  const rows = qrCode(text)?.map((row) => row.map(Number).join(''));
  return [
    rows?.length,
    createHash('sha256')
      .update(rows?.join('\n') ?? '')
      .digest('hex')
      .slice(0, 16),
  ];
};

describe('QR codes', () => {
  it('are those that another reader (jsQR 1.4) has read', () => {
    assert.deepEqual(hash('otpauth://totp/Copse:alice?secret=JBSWY3DPEHPK3PXP'), [29, '9dc9659fb2ad879e']);
    // Blocks of two lengths, and the bits of the version.
    assert.deepEqual(hash('x'.repeat(440)), [73, 'cd244dd3de9cac65']);
  });

  it('have the finders and the timing pattern', () => {
    const code = qrCode('hello');
    assert.ok(code);
    const ring = '1111111 1000001 1011101 1011101 1011101 1000001 1111111';
    const corner = (row: number, column: number) =>
      code
        .slice(row, row + 7)
        .map((cells) =>
          cells
            .slice(column, column + 7)
            .map(Number)
            .join(''),
        )
        .join(' ');
    assert.deepEqual([corner(0, 0), corner(0, 14), corner(14, 0)], [ring, ring, ring]);
    assert.equal(code[6]?.slice(6, 15).map(Number).join(''), '101010101');
  });

  it('grow with the text, and end at the largest', () => {
    assert.deepEqual([qrCode('x'.repeat(17))?.length, qrCode('x'.repeat(18))?.length, qrCode('é'.repeat(429))?.length], [21, 25, 97]);
    assert.equal(qrCode('x'.repeat(859)), undefined);
  });
});
