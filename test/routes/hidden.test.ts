import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyRoute } from '../../src/http/route.ts';
import { allRoutes } from '../../src/routes.ts';
import type { Client, TestAnswer } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { addressesOf } from './paths.ts';
import { hiddenThings, SECRET } from './world.ts';

/** Every route of the server, those to come among them: whoever adds one need not think of these tests. */

const t = await testServer({ git: { hooksEnabled: true } });
const hidden = await hiddenThings(t);
const { alice } = hidden;
const password = await t.user('mallory');
const mallory = await password.token();
await mallory.must('POST', '/user/repos', { name: 'own', auto_init: true });
await mallory.must('POST', '/repos/mallory/own/issues', { title: 'An issue' });
await mallory.must('POST', '/repos/mallory/own/issues', { title: 'Another issue' });
await mallory.must('POST', '/orgs', { username: 'mallorys' });
const limited = await alice.token(['all', 'public-only']);
const callers: [string, Client][] = [
  ['nobody', t.anonymous],
  ['a stranger', mallory],
  ['a token for public things', limited],
];
const reading = allRoutes.filter(({ method, path }) => method === 'GET' && !path.startsWith('//user/'));

const [owner = '', repo = ''] = hidden.repository.split('/');
const common = {
  ...hidden.values,
  index: ['1', '2', '3'],
  position: ['1'],
  collaborator: ['helper'],
  user: ['helper'],
  target: ['helper'],
};
const places: Record<string, readonly string[]>[] = [
  {
    ...common,
    owner: [owner],
    template_owner: [owner],
    repo: [repo],
    template_repo: [repo],
    org: [hidden.organization],
    username: ['alice'],
  },
  { ...common, owner: [hidden.organization], repo: [repo], org: [hidden.organization], username: [`${SECRET}-user`] },
  { ...common, owner: [`${SECRET}-user`], repo: [repo], username: [`${SECRET}-user`] },
  { ...common, owner: ['mallory'], repo: ['own'], org: ['mallorys'], username: ['helper'] },
];

/** What is known to whoever asked is no news in the answer. */
function news(address: string, { text, headers }: TestAnswer): string {
  const asked = decodeURIComponent(address)
    .split(/[/?&=]/)
    .filter((part) => part.includes(SECRET));
  asked.push(...asked.map((part) => part.replace(/\.(zip|tar\.gz)$/, '')));
  let said = `${text}\n${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`;
  for (const word of asked.toSorted((a, b) => b.length - a.length))
    said = said.replaceAll(word, '').replaceAll(encodeURIComponent(word), '');
  return said;
}

/** The queries by which a list could be made to tell more. */
function queriesOf({ query }: AnyRoute): string[] {
  const named = Object.entries(query ?? {}).flatMap(([name, { type }]) =>
    type === 'boolean'
      ? [`${name}=true`]
      : type === 'integer'
        ? [`${name}=2`]
        : [SECRET, 'alice', hidden.organization].map((word) => `${name}=${word}`),
  );
  return ['', ...named.map((part) => `?${part}`)];
}

describe('no route that reads', () => {
  for (const [who, client] of callers) {
    it(`tells ${who} of what is hidden (lessons 1, 7, 11, 15)`, async () => {
      const told: string[] = [];
      for (const route of reading) {
        for (const values of places) {
          // What is hidden itself is refused before anything in it is looked up; elsewhere its ids are tried.
          const addresses = addressesOf(route, values);
          for (const [index, address] of (values.owner?.[0] === 'mallory' ? addresses : addresses.slice(0, 2)).entries()) {
            const queries = index > 0 || address.includes('?') ? [''] : queriesOf(route);
            for (const query of queries) {
              const answer = await client.get(address + query);
              if (answer.status >= 500) told.push(`${answer.status} ${address}${query}`);
              if (news(address + query, answer).includes(SECRET))
                told.push(`${answer.status} ${address}${query}: ${answer.text.slice(0, 200)}`);
            }
          }
        }
      }
      assert.deepEqual(told, []);
    });
  }
});
