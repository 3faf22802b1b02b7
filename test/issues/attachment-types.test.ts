import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allowedName, cleanName, refuseForbiddenType } from '../../src/issues/attachments/allowed.ts';

describe('allowed types', () => {
  const isAllowed = (allowed: string[], name: string, head?: Buffer) => {
    try {
      refuseForbiddenType(allowed, name, head);
      return true;
    } catch {
      return false;
    }
  };
  const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  for (const [allowed, name, head, expected] of [
    [[], 'x.exe', undefined, true],
    [['*/*'], 'x.exe', undefined, true],
    [['.png'], 'x.PNG', undefined, true],
    [['.png'], 'png', undefined, false],
    [['image/*'], 'x.txt', png, true],
    [['image/png'], 'x.png', undefined, false],
    [['image/*'], 'x.png', Buffer.from('text'), false],
    [['application/zip'], 'x', Buffer.from('PK\x03\x04rest'), true],
    [['text/plain'], 'x', Buffer.from('plain text'), true],
  ] as const) {
    it(`${allowed.join(', ') || 'all'}: ${name}${head ? ' with content' : ''}`, () => {
      assert.equal(isAllowed([...allowed], name, head), expected);
    });
  }

  it('are looked at in clean names', () => {
    assert.equal(cleanName('../../etc/passwd'), 'passwd');
    assert.equal(cleanName('C:\\Users\\x\\notes.txt'), 'notes.txt');
    assert.equal(cleanName(' a\nb.txt '), 'ab.txt');
    assert.throws(() => cleanName('a/'), { status: 422 });
    assert.throws(() => cleanName('x'.repeat(256)), { status: 422 });
  });

  it('are compared before the length of names', () => {
    const message = 'This file cannot be uploaded or modified due to a forbidden file extension or type.';
    for (const name of [' ', 'x'.repeat(256)]) assert.throws(() => allowedName(['.txt'], name), { message });
    assert.throws(() => allowedName(['.txt'], `${'x'.repeat(256)}.txt`), { message: '[Name]: MaxSize' });
    assert.throws(() => allowedName([], ' '), { message: '[Name]: Required' });
    assert.equal(allowedName(['.txt'], 'a/b.txt '), 'b.txt');
  });
});
