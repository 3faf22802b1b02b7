import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { buildIndexes } from '../../src/packages/indexes/build.ts';
import { ComposedDocument, cachedBlocks, openPlan, PartRemovedError } from '../../src/packages/indexes/composed.ts';
import { buildSimple } from '../../src/packages/pypi/simple.ts';
import { testServer } from '../support/server.ts';
import { digestsOf, registry } from './support/registry.ts';

const t = await testServer();
const { db } = t.context;
const alice = await t.user('alice');
const owner = await findUser(db, 'alice');
assert.ok(owner);
const pypi = registry('alice');

const upload = (version: string) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: 'tool', version, sha256_digest: digestsOf(version).sha256 })) form.set(name, value);
  form.set('content', new Blob([version]), `tool-${version}.tar.gz`);
  return alice.send('POST', '//api/packages/alice/pypi', { form });
};
const read = (headers = {}) => pypi.get(t.anonymous, 'pypi/simple/tool', headers);
/** What the job does some seconds after a publication. */
const putTogether = () => buildIndexes(t.context, buildSimple, { owner, type: 'pypi' }, ['tool']);

describe('the document of a package', () => {
  it('is the same from its blocks, right after a publication, and from its file', async () => {
    for (const version of ['1.0', '1.1']) assert.equal((await upload(version)).status, 201);
    const fromBlocks = await read();
    const etag = fromBlocks.headers.get('etag') ?? '';
    assert.deepEqual([fromBlocks.status, fromBlocks.headers.get('content-length')], [200, String(fromBlocks.bytes.length)]);
    assert.deepEqual(fromBlocks.text.match(/>tool-[^<]*/g), ['>tool-1.0.tar.gz', '>tool-1.1.tar.gz']);
    const part = await read({ range: 'bytes=10-29', 'if-range': etag });
    assert.deepEqual([part.status, part.text], [206, fromBlocks.text.slice(10, 30)]);
    assert.equal((await read({ 'if-none-match': etag })).status, 304);
    await putTogether();
    const fromFile = await read();
    assert.deepEqual([fromFile.text, fromFile.headers.get('etag')], [fromBlocks.text, etag]);
    assert.ok(fromFile.headers.has('last-modified'));
    assert.equal((await read({ 'if-none-match': etag })).status, 304);
  });

  it('has another tag when it has changed', async () => {
    const before = (await read()).headers.get('etag');
    assert.equal((await upload('1.2')).status, 201);
    const now = await read({ 'if-none-match': before });
    assert.equal(now.status, 200);
    assert.notEqual(now.headers.get('etag'), before);
    assert.deepEqual((await read()).text, now.text);
  });

  it('is composed at once if its blocks are missing', async () => {
    const { text } = await read();
    await db.deleteFrom('package_blocks').execute();
    assert.equal((await read()).text, text);
  });
});

describe('a composed document', () => {
  const index = { ownerId: owner.id, type: 'generic', key: 'composed' } as const;
  const versions = [1, 2, 3].map((id) => ({ id: id * 1_000_003, revision: 0, created_at: 0 }));
  const write = async (some: typeof versions) => some.map(({ id }) => `${id}${'x'.repeat(700_000)}`).join('');
  const document = new ComposedDocument([
    '[',
    cachedBlocks(t.context, { index, name: 'big', versions, write: (some) => write([...some]) }),
    ']',
  ]);

  it('is read as a whole and in ranges, however long it is', async () => {
    const plan = await document.plan();
    const whole = `[${await write(versions)}]`;
    assert.equal(plan.size, whole.length);
    const opened = async (range?: { start: number; end: number }) => {
      const bytes = await openPlan(db, plan, range);
      return (bytes instanceof Readable ? await buffer(bytes) : bytes).toString();
    };
    assert.ok((await opened()) === whole);
    const last = whole.length - 1;
    for (const [start, end] of [
      [699_990, 1_400_030],
      [0, 0],
      [0, last],
      [1, 1],
      [last - 1, last],
      [last, last],
      [1_400_015, 1_400_020],
    ] as const) {
      assert.ok((await opened({ start, end })) === whole.slice(start, end + 1), `${start}-${end}`);
    }
    assert.equal((await document.plan()).etag, plan.etag);
  });

  it('reads only the parts of a range', async () => {
    const plan = await document.plan();
    const sizes: number[] = [];
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        for (const { content } of result.rows as { content?: Uint8Array }[]) sizes.push(content?.length ?? 0);
        return result;
      },
    });
    assert.equal((await openPlan(counting, plan, { start: plan.size - 10, end: plan.size - 1 })).toString(), `${'x'.repeat(9)}]`);
    assert.ok(sizes.length > 0 && sizes.reduce((sum, size) => sum + size) < plan.size / 2, `${sizes}`);
  });

  it('keeps what it has no longer for those who read it', async () => {
    await document.plan();
    const fewer = new ComposedDocument(['[', cachedBlocks(t.context, { index, name: 'big', versions: [], write: async () => '' }), ']']);
    await fewer.removeOthers();
    const parts = db.selectFrom('package_blocks').select('id').where('key', '=', 'composed');
    assert.ok((await parts.execute()).length > 0);
  });

  it('fails before anything is sent if its parts are missing', async () => {
    const plan = await document.plan();
    await db.deleteFrom('package_blocks').execute();
    await assert.rejects(async () => await openPlan(db, plan), PartRemovedError);
  });
});
