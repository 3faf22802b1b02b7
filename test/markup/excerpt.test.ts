import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { excerpt } from '../../src/markup/excerpt.ts';

describe('excerpt', () => {
  it('keeps what fits', () => {
    assert.equal(excerpt('a'.repeat(200), 200), 'a'.repeat(200));
    assert.equal(excerpt('', 200), '');
    assert.equal(excerpt('ä'.repeat(200), 200), 'ä'.repeat(200));
  });

  it('cuts what does not, with its last word when that is short', () => {
    assert.equal(excerpt('a'.repeat(201), 200), `${'a'.repeat(197)}…`);
    assert.equal(excerpt(`${'a'.repeat(190)} ${'b'.repeat(20)}`, 200), `${'a'.repeat(190)}…`);
    assert.equal(excerpt(`${'a'.repeat(150)} ${'b'.repeat(90)}`, 200), `${'a'.repeat(150)} ${'b'.repeat(46)}…`);
  });

  it('counts wide characters twice', () => {
    assert.equal(excerpt('字'.repeat(100), 200), '字'.repeat(100));
    assert.equal(excerpt('字'.repeat(101), 200), `${'字'.repeat(98)}…`);
  });
});
