import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownText } from '../../src/text/own-text.ts';

describe('ownText', () => {
  it('is the same text', () => {
    const text = 'author Zoë Müller 日本 🦊 <zoe@example.com>';
    for (const part of ['', text.slice(7, 17), text.slice(7, -18), text]) assert.equal(ownText(part), part);
  });
});
