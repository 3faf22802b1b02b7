import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { allRoutes } from '../../src/features.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { testServer } from '../support/server.ts';

/** How many malformed requests are sent, of all that the parts below make together. */
const REQUESTS = 2000;
const MEBIBYTE = 1024 * 1024;

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true, default_branch: 'main', readme: 'Default' });
await t.settled();

/** What a caller might put where a name, a number or a path belongs. */
const HOSTILE_WORDS = [
  '..',
  '../../etc/passwd',
  '%00',
  'a%00b',
  '-rf',
  '--upload-pack=touch%20x',
  '--output=x',
  '@{u}',
  'main@{1}',
  'HEAD~1000000000',
  ':/x',
  '^{commit}',
  'a%0Ab',
  'a%0D%0Ax-injected:%201',
  '99999999999999999999999999',
  '-1',
  '1e309',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '%F0%9F%98%80',
  '%ED%A0%80',
  '%ff%fe',
  '*',
  '%25',
  "'%20or%201=1--",
  '%22;drop%20table%20users;--',
  'a'.repeat(5000),
  '.git',
  '.git/config',
  'refs/heads/main.lock',
  ' ',
  '%2e%2e%2f',
];

/** Bodies that no shape takes. */
const HOSTILE_BODIES = [
  '{',
  '[',
  'nul',
  '"text"',
  '[]',
  '[[[[[[]]]]]]',
  '12',
  'true',
  '{"a":}',
  "{'a':1}",
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  '\u0000',
  '\ufeff{}x',
];

/** Values of a wrong type, and of the right one where they make no sense. */
const HOSTILE_VALUES: unknown[] = [
  {},
  [],
  [{}],
  -1,
  1e308,
  2 ** 53,
  0.5,
  true,
  '\u0000',
  'a\u0000b',
  '../..',
  '-x',
  '--exec=x y',
  '\n',
  '\ud800',
  'x'.repeat(100_000),
  '{"a":1}',
  { __proto__: { admin: true } },
  [null],
  [1, 'a', {}],
];

/** The same order in every run. */
function randomizer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = randomizer(20_260_101);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

interface Malformed {
  method: string;
  path: string;
  raw?: string;
}

/** Those that clients do not resolve before they send: a deletion of `contents/..` would be that of the repository. */
const UNRESOLVED_WORDS = HOSTILE_WORDS.filter((word) => !word.startsWith('..'));

/** The path of a route: the repository is there, everything else hostile where `hostile` says so. */
function pathOf({ path, method }: AnyRoute, hostile: boolean): string {
  const words = method === 'GET' ? HOSTILE_WORDS : UNRESOLVED_WORDS;
  const filled = path
    .replace(/:(\w+)(\([^)]*\))?/g, (_, name: string) => {
      if (name === 'owner' || name === 'username') return 'alice';
      if (name === 'repo') return 'demo';
      return hostile ? pick(words) : '1';
    })
    .replace(/\*$/, () => (hostile ? pick(words) : 'README.md'));
  return filled;
}

function hostileQuery({ query = {} }: AnyRoute): string {
  const names = [...Object.keys(query), 'page', 'limit', 'ref'];
  return Array.from({ length: 3 }, () => `${pick(names)}=${pick(HOSTILE_WORDS)}`).join('&');
}

/** A body with one field that cannot be right: in the fields that the route requires there is always such a value. */
function hostileBody(route: AnyRoute): string {
  const shape = route.body as { properties?: Record<string, unknown> } | undefined;
  const names = Object.keys(shape?.properties ?? { name: 1 });
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, pick([{}, [{}], { a: [] }])])));
}

const served = allRoutes.filter((route) => !route.path.startsWith('//'));
const reads = served.filter(({ method }) => method === 'GET');
const withBody = served.filter(({ body }) => body !== undefined && body !== 'stream');

function malformed(): Malformed {
  const kind = random();
  if (kind < 0.5) {
    const route = pick(reads);
    return { method: 'GET', path: `${pathOf(route, true)}?${hostileQuery(route)}` };
  }
  const route = pick(withBody);
  if (kind < 0.75) return { method: route.method, path: pathOf(route, random() < 0.5), raw: pick(HOSTILE_BODIES) };
  return { method: route.method, path: pathOf(route, random() < 0.5), raw: hostileBody(route) };
}

const TABLES = [
  'users',
  'email_addresses',
  'access_tokens',
  'repositories',
  'teams',
  'collaborations',
  'topics',
  'follows',
  'blocks',
] as const;

/** What must be the same afterwards: every row of the tables that requests change, and the refs. */
async function snapshot(): Promise<unknown> {
  const { db } = t.context;
  const tables = await Promise.all(TABLES.map((table) => db.selectFrom(table).select(sql<number>`count(*)`.as('rows')).execute()));
  const repository = await alice.must('GET', '/repos/alice/demo');
  const { commit } = await alice.must('GET', '/repos/alice/demo/branches/main');
  const user = await alice.must('GET', '/user');
  return { tables, repository, head: commit.id, user: { ...user, last_login: '' } };
}

describe('malformed requests', () => {
  it(`${REQUESTS} of them change nothing and are nobody's fault but the caller's`, { timeout: 600_000 }, async () => {
    const before = await snapshot();
    const faults: string[] = [];
    const work = Array.from({ length: REQUESTS }, malformed);
    const worker = async () => {
      for (let request = work.pop(); request; request = work.pop()) {
        const { method, path, raw } = request;
        const response = await alice.send(method, path, raw === undefined ? {} : { raw, type: 'application/json' });
        if (response.status >= 500) faults.push(`${response.status} ${method} ${path.slice(0, 200)} ${raw?.slice(0, 200) ?? ''}`);
        if (response.headers.has('x-injected')) faults.push(`header injected by ${path}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    assert.deepEqual(faults, []);
    await t.settled();
    assert.deepEqual(await snapshot(), before);
  });

  it('values of every wrong kind in every field are refused or ignored, never a fault of the server', { timeout: 600_000 }, async () => {
    const route = {
      method: 'POST',
      path: '/user/repos',
      fields: ['name', 'description', 'private', 'default_branch', 'gitignores', 'license', 'readme', 'object_format_name', 'trust_model'],
    };
    for (const field of route.fields) {
      for (const value of HOSTILE_VALUES) {
        // A name may begin with a dash: no name is ever a path or an option.
        if (field === 'name' && value === '-x') continue;
        const { status } = await alice.send(route.method, route.path, { raw: JSON.stringify({ name: 'bad name', [field]: value }) });
        assert.ok(status >= 400 && status < 500, `${field} = ${JSON.stringify(value).slice(0, 60)} answered ${status}`);
      }
    }
  });

  it('a body of 100 MB is refused, and the next request is served', async () => {
    const large = Buffer.alloc(100 * MEBIBYTE, 0x20);
    const response = await alice
      .send('POST', '/user/repos', { raw: large, type: 'application/json' })
      .catch((error: unknown) => ({ status: 413, error }));
    assert.equal(response.status, 413);
    assert.equal((await alice.get('/user')).status, 200);
  });
});
