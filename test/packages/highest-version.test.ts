// On SQLite alone: no database is asked
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { byLooseVersion, highestVersion } from '../../src/packages/versions/loose.ts';

const PARTS = ['0', '1', '2', '10', '01', '999999999', '1000000000', '1-rc.1', '2+build', 'v1', 'x', ''];

it('the highest version is the one that comes last in their order, the first of equal ones', () => {
  const texts = PARTS.flatMap((a) => PARTS.flatMap((b) => [`${a}.${b}`, `1.${a}.${b}`, `${a}.${b}.1`, `1.${a}.${b}.0`]));
  // Each with others that are far from it in the list.
  for (let step = 1; step < texts.length; step += 7) {
    const versions = Array.from({ length: 12 }, (_, index) => ({ version: texts[(index * step * 31) % texts.length] ?? '' }));
    const slowly = versions.reduce((highest, one) => (byLooseVersion(one.version, highest.version) > 0 ? one : highest));
    assert.equal(highestVersion(versions), slowly, versions.map(({ version }) => version).join(' '));
  }
  assert.equal(highestVersion([]), undefined);
});
