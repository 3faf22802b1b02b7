// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { any, array, boolean, define, inline, int64, map, nullable, number, object, ref, string } from '../../../src/http/schema.ts';
import { jsonOf, projected, serializerOf } from '../../../src/http/server/serialization.ts';

const Folder = define('SerializationTestFolder', {
  name: string(),
  size: int64(),
  share: number(),
  isOpen: boolean(),
  parent: nullable(ref('SerializationTestFolder')),
  tags: array(string()),
  sizes: map(int64()),
  rest: object(),
  note: nullable(string()),
  origin: inline({ host: string() }),
  extra: any(),
});

const serialize = serializerOf(Folder);
const textOf = (json: string | Buffer[]) => (typeof json === 'string' ? json : Buffer.concat(json).toString());

it('only what is in the shape is sent, in its order, without what is undefined', () => {
  const parent = { note: 'p"\n\u2028\ud800', name: 'é😀', secret: 1, toString: () => 'no' };
  const folder = { secret: 's', tags: ['a', 'b'], parent, size: 3, name: 'x', isOpen: true, share: 0.5, note: undefined };
  const text = '{"name":"x","size":3,"share":0.5,"isOpen":true,"parent":{"name":"é😀","note":"p\\"\\n\u2028\\ud800"},"tags":["a","b"]}';
  assert.equal(serialize(folder), text);
  const others = {
    origin: { host: 'h', port: 1 },
    extra: { any: [1, null] },
    rest: { deep: { a: 1 } },
    sizes: { __proto__: null, a: 1, b: 2 },
  };
  assert.equal(serialize(others), '{"sizes":{"a":1,"b":2},"rest":{"deep":{"a":1}},"origin":{"host":"h"},"extra":{"any":[1,null]}}');
  assert.equal(serializerOf(array(ref(Folder)))([{ name: 'a' }, { name: 'b', other: 1 }]), '[{"name":"a"},{"name":"b"}]');
});

it('null is null where the shape says so, and else what is empty of the type', () => {
  const nothing = Object.fromEntries(Object.keys(Folder.properties).map((name) => [name, null]));
  const empty = {
    name: '',
    size: 0,
    share: 0,
    isOpen: false,
    parent: null,
    tags: [],
    sizes: {},
    rest: {},
    note: null,
    origin: {},
    extra: null,
  };
  assert.deepEqual(JSON.parse(serialize(nothing)), empty);
});

it('what is not of the shape is made so, or fails', () => {
  assert.equal(serialize({ name: 7, size: 2.9, share: '1.5', isOpen: 'yes' }), '{"name":"7","size":2,"share":1.5,"isOpen":true}');
  for (const wrong of [{ size: Number.NaN }, { share: Number.POSITIVE_INFINITY }, { tags: 'a' }, undefined]) {
    assert.throws(() => serialize(wrong), TypeError);
  }
});

it('serializes long lists in slices, to the same text', async () => {
  const list = array(ref(Folder));
  for (const count of [0, 1, 5]) {
    const folders = Array.from({ length: count }, (_, n) => ({ name: `${n} "é" ${'x'.repeat(500_000)}`, isOpen: true }));
    assert.equal(textOf(await jsonOf(await projected(list, folders))), serializerOf(list)(folders));
  }
});

it('lets others use the thread amid a list with very many values', async () => {
  const list = array(ref(Folder));
  const folders = Array.from({ length: 100_000 }, (_, n) => ({ name: `folder ${n}`, size: n, tags: ['a', 'b'] }));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const found = await projected(list, folders);
  const afterFields = turns;
  const json = textOf(await jsonOf(found));
  isDone = true;
  assert.ok(afterFields > 2 && turns > afterFields + 2, `${afterFields} and ${turns} turns`);
  assert.equal(json, serializerOf(list)(folders));
});

it('sends a long list of small values in few pieces', async () => {
  const list = array(ref(Folder));
  const folders = Array.from({ length: 5000 }, (_, n) => ({ name: `folder ${n} ${'x'.repeat(100)}` }));
  const json = await jsonOf(await projected(list, folders));
  assert.ok(Array.isArray(json) && json.length > 2 && json.length < 20, `${json.length} pieces`);
  assert.equal(textOf(json), serializerOf(list)(folders));
});
