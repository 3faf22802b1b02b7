// On SQLite alone: it is about the time that this process takes for a value, not about what becomes of it.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AnyRoute } from '../../src/http/route.ts';
import { allDefinitions } from '../../src/http/schema.ts';
import { testServer } from '../support/server.ts';
import { bodiesOf } from './bodies.ts';
import { addressesOf } from './paths.ts';
import { hiddenThings } from './world.ts';
import { firsts, lasting } from './writing.ts';

/** Characters of each text: what takes the square of its time takes seconds for so many. */
const LENGTH = 100_000;
/** Items of each list: the most that a request may have. */
const ITEMS = 20_000;
/** Milliseconds of processor time of the main thread: a request of so many bytes takes some, and the client is in this thread, too. */
const MOST = 500;

/** What repeats in a text, and what ends it. */
const RUNS: readonly (readonly [run: string, end: string])[] = [
  [' ', 'a'],
  ['\n', 'a'],
  ['\t#', '\u2028'],
  ['/', 'a'],
  ['a', ''],
  ['0', 'a'],
  ['"', 'a'],
  ["'", 'a'],
  ['<', ''],
  ['{a,', ''],
  ['http://a@', ''],
  ['#1 ', ''],
];

interface Shape {
  $ref?: string;
  type?: string;
  format?: string;
  rule?: string;
  enum?: readonly unknown[];
  allowed?: readonly unknown[];
  maxLength?: number;
  properties?: Record<string, Shape>;
  items?: Shape;
}

const resolved = (shape: Shape): Shape => (shape.$ref ? ((allDefinitions().get(shape.$ref) ?? {}) as Shape) : shape);

/** The places of a body where a long text can stand. */
function* longTexts(reference: Shape, depth = 0): Generator<readonly string[]> {
  const shape = resolved(reference);
  if (depth > 4) return;
  if (shape.type === 'string') {
    const isFree = !shape.format && !shape.rule && !shape.enum && !shape.allowed;
    if (isFree && (shape.maxLength ?? LENGTH) >= LENGTH) yield [];
  }
  for (const [name, property] of Object.entries(shape.properties ?? {}))
    for (const path of longTexts(property, depth + 1)) yield [name, ...path];
  if (shape.items) for (const path of longTexts(shape.items, depth + 1)) yield ['0', ...path];
}

/** The places of a body where a list can stand. */
function* longLists(reference: Shape, depth = 0): Generator<readonly string[]> {
  const shape = resolved(reference);
  if (depth > 4) return;
  if (shape.type === 'array') yield [];
  for (const [name, property] of Object.entries(shape.properties ?? {}))
    for (const path of longLists(property, depth + 1)) yield [name, ...path];
}

function withValue(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === '0') return [withValue((body as unknown[] | undefined)?.[0], rest, value)];
  const object = (typeof body === 'object' ? body : {}) as Record<string, unknown>;
  return { ...object, [name]: withValue(object[name], rest, value) };
}

const t = await testServer({ git: { hooksEnabled: true } });
const { alice, repository, organization, values } = await hiddenThings(t);
const [owner = '', repo = ''] = repository.split('/');
const place = {
  ...values,
  index: ['1'],
  base: ['main'],
  position: ['1'],
  collaborator: ['helper'],
  user: ['helper'],
  target: ['helper'],
  owner: [owner],
  template_owner: [owner],
  repo: [repo],
  template_repo: [repo],
  org: [organization],
  username: ['alice'],
  repo_name: [repo],
};
const words = {
  owner,
  repo,
  assignees: ['helper'],
  head: 'main',
  base: 'main',
  color: '#123456',
  email: 'a@example.com',
  emails: [],
  id: 1,
};

let number = 0;
/** A path and a body that the route takes, of something new where it makes anything. */
function requestOf(route: AnyRoute): { address: string | undefined; body: unknown } {
  const name = `new-${++number}`;
  const content = route.path.includes('/contents') ? 'YQ==' : 'heart';
  const [address] = addressesOf(route, firsts({ ...place, ...(content === 'YQ==' && { '*': [name] }) }));
  return { address, body: bodiesOf(route, { ...words, content, tag_name: name, new_branch_name: name })[0] };
}

/** The requests of a route that took too long, with the values in this place of its body. */
async function slowOnes(route: AnyRoute, path: readonly string[], given: ReadonlyMap<string, unknown>): Promise<string[]> {
  const slow: string[] = [];
  for (const [name, value] of given) {
    const { address, body } = requestOf(route);
    if (address === undefined) break;
    const json = withValue(body, path, value);
    const before = process.threadCpuUsage();
    const { status } = await alice.send(route.method, address, { json });
    const { user, system } = process.threadCpuUsage(before);
    const ms = Math.round((user + system) / 1000);
    if (ms > MOST || status >= 500) slow.push(`${ms} ms ${status} ${route.method} ${route.path} ${path.join('.')} ${name}`);
  }
  return slow;
}

const changing = lasting.filter(({ method, body }) => body !== undefined && body !== 'stream' && method !== 'DELETE');

it('no long text in any field holds the server', { timeout: 900_000 }, async () => {
  const texts = new Map(RUNS.map(([run, end]) => [JSON.stringify(run), `a${run.repeat(LENGTH / run.length - 2)}${end}`]));
  const slow: string[] = [];
  for (const route of changing) for (const path of longTexts(route.body as Shape)) slow.push(...(await slowOnes(route, path, texts)));
  assert.deepEqual(slow, []);
});

it('no long list in any field holds the server', { timeout: 900_000 }, async () => {
  const lists = new Map<string, unknown>([
    ['numbers', Array.from({ length: ITEMS }, (_, at) => at + 1)],
    ['words', Array.from({ length: ITEMS }, (_, at) => `word-${at}`)],
    ['one word', new Array(ITEMS).fill('helper')],
  ]);
  const slow: string[] = [];
  for (const route of changing) for (const path of longLists(route.body as Shape)) slow.push(...(await slowOnes(route, path, lists)));
  assert.deepEqual(slow, []);
});
