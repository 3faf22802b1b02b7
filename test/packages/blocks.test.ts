import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { findUser } from '../../src/access/find-user.ts';
import { createLogger } from '../../src/log.ts';
import { joinGzip, joinPlain } from '../../src/packages/indexes/block-parts.ts';
import { retainDocuments } from '../../src/packages/indexes/block-store.ts';
import { blocksOf, eachPart, type ListedVersion } from '../../src/packages/indexes/blocks.ts';
import { listedVersions } from '../../src/packages/indexes/listed-versions.ts';
import { startServer } from '../../src/server.ts';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { tar } from './support/archives.ts';
import { registry } from './support/registry.ts';

const t = await testServer();
const alice = await t.user('alice');
const { db } = t.context;
const owner = await findUser(db, 'alice');
assert.ok(owner);
const index = { ownerId: owner.id, type: 'generic', key: 'all' } as const;

const made: number[] = [];
/** The document of all versions as it is now, in both forms; `made` has the versions that were written for it. */
async function join(): Promise<string> {
  made.length = 0;
  const versions = await listedVersions(db, index.ownerId, 'generic').orderBy('package_versions.id').execute();
  const write = async (some: readonly ListedVersion[], isFirst: boolean) => {
    made.push(...some.map(({ id }) => id));
    return some.map(({ id, revision }, at) => `${isFirst && at === 0 ? '' : ','}${id}.${revision}`).join('');
  };
  const document = { index, name: 'list', versions, write };
  const plain = Buffer.concat(await Array.fromAsync(joinPlain(['[', eachPart(t.context, document), ']']))).toString();
  const zipped = Buffer.concat(await Array.fromAsync(joinGzip(['[', eachPart(t.context, document, 'deflate'), ']'])));
  assert.equal(gunzipSync(zipped).toString(), plain);
  assert.equal(plain, `[${versions.map(({ id, revision }) => `${id}.${revision}`).join(',')}]`);
  return plain;
}

const addVersions = async (from: number, count: number) => {
  const at = { owner_id: index.ownerId, type: index.type };
  const named = { ...at, name: `p${from}`, lower_name: `p${from}`, created_at: 1 };
  const { id } = await db.insertInto('packages').values(named).returning('id').executeTakeFirstOrThrow();
  const versions = Array.from({ length: count }, (_, number) => `${from + number}`);
  const rows = versions.map((version) => ({ ...at, package_id: id, version, lower_version: version, created_at: 1 }));
  return (await db.insertInto('package_versions').values(rows).returning('id').execute()).map((row) => row.id);
};
const cachedBlocks = async () => await db.selectFrom('package_blocks').select(['id', 'size']).where('type', '=', 'generic').execute();

describe('a document in blocks', () => {
  it('is written in batches that are small where versions take long', async () => {
    const versions = Array.from({ length: 40 }, (_, id) => ({ id: 1_000_000 + id, revision: 0, created_at: 0 }));
    const batches: number[] = [];
    const write = async (some: readonly ListedVersion[]) => {
      batches.push(some.length);
      const end = performance.now() + 20 * some.length;
      while (performance.now() < end);
      return some.map(({ id }) => `${id} `).join('');
    };
    const parts = eachPart(t.context, { index, name: 'slow', versions, write });
    assert.equal(Buffer.concat(await Array.fromAsync(joinPlain([parts]))).toString(), versions.map(({ id }) => `${id} `).join(''));
    assert.equal(Math.max(...batches.slice(1)), 1, `${batches}`);
    await retainDocuments(db, index, []);
  });

  it('lets others use the thread while its parts are read', async () => {
    const versions = Array.from({ length: 4000 }, (_, id) => ({ id: 2_000_000 + id, revision: 0, created_at: 0 }));
    const write = async (some: readonly ListedVersion[]) => 'x'.repeat(2000 * some.length);
    const read = async () => {
      let size = 0;
      for await (const bytes of joinPlain([eachPart(t.context, { index, name: 'long', versions, write })])) size += bytes.length;
      return size;
    };
    await read();
    let turns = 0;
    let timer = setImmediate(function count() {
      turns++;
      timer = setImmediate(count);
    });
    assert.equal(await read(), 8_000_000);
    clearImmediate(timer);
    assert.ok(turns >= 6, `${turns}`);
    await retainDocuments(db, index, []);
  });

  it('rebuilds only the blocks of what was changed, added and deleted', async () => {
    assert.equal(await join(), '[]');
    const ids: number[] = await addVersions(0, 600);
    await join();
    assert.equal(made.length, 600);
    await join();
    assert.equal(made.length, 0);
    await addVersions(1000, 1);
    await join();
    assert.ok(made.length < 300, `${made.length} after one more`);
    const middle = ids[300] ?? 0;
    await db.updateTable('package_versions').set({ revision: 1 }).where('id', '=', middle).execute();
    assert.match(await join(), new RegExp(`,${middle}\\.1,`));
    assert.ok(made.length < 300 && made.includes(middle), `${made.length} after a change`);
    await db
      .deleteFrom('package_versions')
      .where('id', 'in', [middle, ids[0] ?? 0])
      .execute();
    await join();
    assert.ok(made.length < 500, `${made.length} after deletions`);
  });

  it('keeps nothing of what is gone', async () => {
    const sizes = (await cachedBlocks()).reduce((sum, { size }) => sum + size, 0);
    assert.equal(sizes, 2 * ((await join()).length - 2));
    await retainDocuments(db, index, []);
    assert.deepEqual(await cachedBlocks(), []);
  });

  it('is made again where its blocks are lost while they are read, or were not kept to their end', async () => {
    await join();
    // As another process leaves them that is killed meanwhile.
    const rows = await db.selectFrom('package_blocks').selectAll().where('type', '=', 'generic').execute();
    await db.deleteFrom('package_blocks').where('type', '=', 'generic').execute();
    for (const { id: _, ...row } of rows) {
      await db
        .insertInto('package_blocks')
        .values({ ...row, is_last: false, content: Buffer.from('half') })
        .execute();
    }
    await join();
    assert.ok(made.length > 0);
    const versions = await listedVersions(db, index.ownerId, 'generic').orderBy('package_versions.id').execute();
    const write = async (some: readonly ListedVersion[]) => some.map(({ id }) => `${id} `).join('');
    let text = '';
    for await (const { content } of eachPart(t.context, { index, name: 'other', versions, write })) text += Buffer.from(content);
    const whole = text;
    text = '';
    for await (const { content } of eachPart(t.context, { index, name: 'other', versions, write })) {
      text += Buffer.from(content);
      await retainDocuments(db, index, []);
    }
    assert.equal(text, whole);
  });

  it('keeps the blocks of a list that has changed elsewhere', () => {
    const versions = Array.from({ length: 1000 }, (_, at) => ({ id: at + 1, revision: 0, created_at: 0 }));
    const blocks = blocksOf(versions);
    const changed = versions.with(500, { id: 501, revision: 1, created_at: 0 });
    const others = blocksOf(changed);
    assert.equal(others.filter((block) => !blocks.includes(block)).length, 1);
    assert.deepEqual(
      others.map(({ signature }) => signature),
      blocksOf(structuredClone(changed)).map(({ signature }) => signature),
    );
    assert.equal(blocksOf(versions.slice(1))[0]?.isFirst, true);
  });

  it('keeps bytes beyond those of one part', async () => {
    const versions = [1, 2, 3].map((id) => ({ id: id * 1_000_003, revision: 0, created_at: 0 }));
    const big = 'x'.repeat(700_000);
    const document = {
      index,
      name: 'big',
      versions,
      write: async (some: readonly ListedVersion[]) => some.map(({ id }) => id + big).join(''),
    };
    const sizeOf = async () => Buffer.concat(await Array.fromAsync(joinPlain([eachPart(t.context, document)]))).length;
    assert.equal(await sizeOf(), await sizeOf());
    await retainDocuments(db, index, []);
  });
});

const chart = async (name: string, version: string) =>
  gzipSync(await tar({ [`${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: ${version}\n` }));
const listed = async (caller: Client) => {
  const { text } = await registry('alice').get(caller, 'helm/index.yaml');
  return [...text.matchAll(/^ {6}name: "(.*)"\n {6}version: "(.*)"/gm)].map(([, name, version]) => `${name} ${version}`);
};

/** Both processes publish, delete and read at once; in the end both list what there is. */
async function publishAtOnce(first: Client, second: Client): Promise<void> {
  const charts = registry('alice');
  const publishBoth = async (caller: Client, name: string) => {
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
      assert.equal((await charts.post(caller, 'helm/api/charts', await chart(name, version))).status, 201);
      assert.ok((await listed(caller)).includes(`${name} ${version}`));
    }
    await caller.must('DELETE', `/packages/alice/helm/${name}/1.1.0`);
    assert.ok(!(await listed(caller)).includes(`${name} 1.1.0`));
  };
  const names = ['one', 'three', 'two'];
  await Promise.all(names.map((name, at) => publishBoth(at === 1 ? second : first, name)));
  const wanted = names.flatMap((name) => [`${name} 1.2.0`, `${name} 1.0.0`]);
  assert.deepEqual(await listed(first), wanted);
  assert.deepEqual(await listed(second), wanted);
}

it('an index is right after publications and deletions at once, by two processes where there can be two', async () => {
  if (t.context.database.dialect !== 'postgres') return await publishAtOnce(alice, alice);
  const { settings } = t.context;
  const second = await startServer({ ...settings, server: { ...settings.server, port: 0 } }, createLogger(settings.log));
  try {
    await publishAtOnce(alice, new Client(() => second.url, { name: alice.name, password: alice.password }));
  } finally {
    await second.close();
  }
});

it('an index answers conditional requests without its bytes, and changes its validator with them', async () => {
  const charts = registry('alice');
  const { headers } = await charts.get(alice, 'helm/index.yaml');
  const etag = headers.get('etag') ?? '';
  assert.equal((await charts.get(alice, 'helm/index.yaml', { 'if-none-match': etag })).status, 304);
  await charts.post(alice, 'helm/api/charts', await chart('four', '1.0.0'));
  assert.equal((await charts.get(alice, 'helm/index.yaml', { 'if-none-match': etag })).status, 200);
});
