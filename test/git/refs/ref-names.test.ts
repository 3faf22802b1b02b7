import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { compareNames, isValidRefName } from '../../../src/git/refs/ref-names.ts';
import { anyText, holds, textOf } from '../../support/property.ts';

const PIECES = [
  'a',
  'é',
  '-',
  '.',
  '..',
  '/',
  '@',
  '{',
  '@{',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  '\\',
  ' ',
  '.lock',
  '\x7f',
  '\t',
  '\n',
  'HEAD',
];

describe('names of refs', () => {
  it('are those that git takes', () => {
    const property = fc.property(textOf(PIECES, 5), (name) => {
      // Alone it is another name for HEAD; after refs/heads/ git would take it.
      fc.pre(name !== '@');
      const { status } = spawnSync('git', ['check-ref-format', `refs/heads/${name}`]);
      assert.equal(isValidRefName(name), status === 0);
    });
    holds(property, 200);
  });

  it('are in the order of their bytes', () => {
    const property = fc.property(anyText, anyText, (a, b) => {
      assert.equal(Math.sign(compareNames(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    });
    holds(property);
  });
});
