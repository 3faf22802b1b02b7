// On SQLite alone: headers do not depend on the database.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { allRoutes } from '../../src/features.ts';
import { Browser } from '../support/browser.ts';
import { PASSWORD, testServer } from '../support/server.ts';
import { addressesOf } from './paths.ts';
import { hiddenThings, SECRET } from './world.ts';

const t = await testServer();
const hidden = await hiddenThings(t);
const [owner = '', repo = ''] = hidden.repository.split('/');
const common = { ...hidden.values, index: ['1', '2'], type: ['generic'], version: ['1.0'], file: ['1'], task: ['1'], hash: ['1'] };
const places = [
  { ...common, owner: [owner], repo: [repo], username: [owner], org: [hidden.organization] },
  { ...common, owner: [hidden.organization], repo: [repo], username: [hidden.organization], org: [hidden.organization] },
];

/** Proxies keep what does not forbid it, as it may be for everybody: a cookie alone does not say that it is not. */
it('no shared cache keeps what a session shows of hidden things', async () => {
  const browser = new Browser(t.url);
  await browser.signIn('alice', PASSWORD);
  const kept: string[] = [];
  const shown: string[] = [];
  const reading = allRoutes.filter(
    ({ method, path }) => method === 'GET' && path.startsWith('//') && !/\/user\/(logout|events)/.test(path),
  );
  for (const route of reading) {
    for (const address of places.flatMap((place) => addressesOf(route, place).slice(0, 2))) {
      const { status, text, headers } = await browser.get(address.slice(1));
      const known = decodeURIComponent(address).includes(SECRET) || text.includes(SECRET);
      if (status !== 200 || !known) continue;
      shown.push(route.path);
      if (!/\b(?:private|no-store)\b/.test(headers.get('cache-control') ?? '')) kept.push(address);
    }
  }
  assert.deepEqual(kept, []);
  assert.ok(new Set(shown).size > 30, String(new Set(shown).size));
});
