import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { parseCommit, readCommit, readCommits, summary } from '../../../src/git/objects/commits.ts';
import { identityTime, identityTimeUtc, parseIdentity } from '../../../src/git/objects/identity.ts';
import { GitPool } from '../../../src/git/objects/objects.ts';
import { findTag, listTags, parseTag, peel, peelToCommit, readTag } from '../../../src/git/refs/tags.ts';
import { createFixture } from '../fixture.ts';

const pool = new GitPool();
after(() => pool.close());

describe('commits', () => {
  it('reads all of a commit', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'side', branch: 'side', from: 'one', files: { b: '2' } },
      {
        label: 'merge',
        merge: ['side'],
        author: 'Bo Ü <bo@example.com>',
        committer: 'Cy <cy@example.com>',
        date: '1700000000 -0330',
        message: 'Title\n\nBody\n',
      },
    ]);
    const commit = await readCommit(fixture.repository, pool, fixture.id('merge'));
    assert.deepEqual(commit, {
      oid: fixture.id('merge'),
      tree: await fixture.git(['rev-parse', 'main^{tree}']),
      parents: [fixture.id('one'), fixture.id('side')],
      author: { name: 'Bo Ü', email: 'bo@example.com', seconds: 1_700_000_000, offset: -210 },
      committer: { name: 'Cy', email: 'cy@example.com', seconds: 1_700_000_000, offset: -210 },
      message: 'Title\n\nBody\n',
      signature: undefined,
    });
    assert.equal(await readCommit(fixture.repository, pool, commit?.tree ?? ''), undefined);
    const some = await readCommits(fixture.repository, pool, [fixture.id('one'), 'f'.repeat(40), fixture.id('side')]);
    assert.deepEqual(
      some.map(({ oid }) => oid),
      [fixture.id('one'), fixture.id('side')],
    );
  });

  it('reads other encodings, and bytes that are not text', () => {
    const commit = (encoding: string, message: Buffer) =>
      parseCommit({ oid: '', data: Buffer.concat([Buffer.from(`tree 1\nauthor x <y> 1 +0000\n${encoding}\n`), message]) });
    assert.equal(commit('encoding ISO-8859-1\n', Buffer.from([0x4a, 0xfc, 0x72])).message, 'Jür');
    assert.equal(commit('encoding nonsense-7\n', Buffer.from('Jür')).message, 'Jür');
    assert.equal(commit('', Buffer.from([0x61, 0xff, 0xfe, 0x62])).message, 'a?b');
    assert.equal(commit('', Buffer.from('\ufffd kept')).message, '\ufffd kept');
  });

  it('splits a signature from what it signs', () => {
    const header = 'tree 1\nparent 2\nauthor a <b> 1 +0000\ncommitter a <b> 1 +0000\n';
    const signature = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----';
    const folded = `gpgsig ${signature.replaceAll('\n', '\n ')}\n`;
    const commit = parseCommit({ oid: '', data: Buffer.from(`${header}${folded}mergetag object 3\n type commit\n\nSubject\n gpgsig x\n`) });
    assert.equal(commit.signature?.signature, signature);
    assert.equal(commit.signature?.payload.toString(), `${header}mergetag object 3\n type commit\n\nSubject\n gpgsig x\n`);
    assert.equal(commit.message, 'Subject\n gpgsig x\n');
    assert.deepEqual(commit.parents, ['2']);
    assert.equal(parseCommit({ oid: '', data: Buffer.from(`${header}\ngpgsig no\n`) }).signature, undefined);
  });

  it('survives commits without a message or with broken lines', () => {
    const commit = parseCommit({ oid: '', data: Buffer.from('tree 1\nauthor nobody\n') });
    assert.equal(commit.message, '');
    assert.deepEqual(commit.author, { name: 'nobody', email: '', seconds: undefined, offset: 0 });
    assert.equal(identityTime(commit.author), '0001-01-01T00:00:00Z');
    assert.equal(summary('\n\n First \n second'), 'First ');
    assert.equal(summary(''), '');
    assert.equal(summary(`${'a'.repeat(999)}😀 more`), 'a'.repeat(999));
    assert.equal(summary(`${'b'.repeat(1000)}\nmore`), 'b'.repeat(1000));
  });

  it('writes times in their zone', () => {
    const time = (text: string) => identityTime(parseIdentity(`n <e> ${text}`));
    assert.equal(time('1700000000 +0000'), '2023-11-14T22:13:20Z');
    assert.equal(time('1700000000 -0000'), '2023-11-14T22:13:20Z');
    assert.equal(time('1700000000 +0530'), '2023-11-15T03:43:20+05:30');
    assert.equal(time('1700000000 -0800'), '2023-11-14T14:13:20-08:00');
    assert.equal(time('99999999999999 +0000'), '0001-01-01T00:00:00Z');
    assert.equal(identityTimeUtc(parseIdentity('n <e> 1700000000 +0530')), '2023-11-14T22:13:20Z');
    assert.deepEqual(parseIdentity('A <b> C <d@e> 5 +0000').email, 'b');
    assert.equal(parseIdentity(' <only@mail> 5 +0100').name, '');
  });
});

/** A pool that says how many bytes of tag objects were read. */
class CountingPool extends GitPool implements AsyncDisposable {
  tagBytes = 0;

  override parsed<T>(...[repository, type, oid, parse]: Parameters<GitPool['parsed']>): Promise<T | undefined> {
    const counted: typeof parse = (object) => {
      if (object.type === 'tag') this.tagBytes += object.size;
      return parse(object);
    };
    return super.parsed(repository, type, oid, counted) as Promise<T | undefined>;
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }
}

describe('tags', () => {
  it('reads annotated tags and follows tags of tags', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: '1' } }]);
    const { repository } = fixture;
    await fixture.git(['tag', '-a', '-m', 'First\n\nbody', 'v1', 'main']);
    await fixture.git(['tag', '-a', '-m', 'Again', 'v1-again', 'v1']);
    await fixture.git(['tag', '-a', '-m', 'Tree', 'tree', 'main^{tree}']);
    const [v1, again, tree] = await Promise.all(['v1', 'v1-again', 'tree'].map((name) => fixture.git(['rev-parse', name])));
    const tag = await readTag(repository, pool, v1 ?? '');
    assert.equal(tag?.name, 'v1');
    assert.equal(tag?.target, fixture.id('one'));
    assert.equal(tag?.targetType, 'commit');
    assert.equal(tag?.message, 'First\n\nbody\n');
    assert.equal(tag?.tagger.email, 'ann@example.com');
    assert.equal(await peelToCommit(repository, pool, again ?? ''), fixture.id('one'));
    assert.equal(await peelToCommit(repository, pool, tree ?? ''), undefined);
    assert.equal((await peel(repository, pool, tree ?? ''))?.type, 'tree');
    assert.equal(await readTag(repository, pool, fixture.id('one')), undefined);
    assert.equal(await peel(repository, pool, 'f'.repeat(40)), undefined);
  });

  it('are put in order by a bounded number of bytes, however long their messages are', async () => {
    await using fixture = await createFixture([{ label: 'one', files: { a: '1' } }]);
    const { repository, git } = fixture;
    await git(['tag', 'light', 'main']);
    const size = 50_000;
    for (let n = 0; n < 8; n++) {
      const env = { GIT_COMMITTER_DATE: `${1_800_000_000 + n} +0000` };
      await git(['tag', '-a', '-F', '-', `v${n}`, 'main'], { env, input: 'x'.repeat(size) });
    }
    const list = async (bytes: number, limit: number) => {
      await using counting = new CountingPool();
      const { tags, total } = await listTags(repository, counting, { offset: 0, limit }, bytes);
      return { names: tags.map(({ name }) => name), total, read: counting.tagBytes };
    };
    const all = await list(1_000_000, 0);
    assert.equal(all.total, 9);
    assert.ok(all.read > 8 * size);
    const some = await list(4 * size, 0);
    // All count, those that are not read as the oldest.
    assert.equal(some.total, 9);
    assert.ok(some.read <= 4 * size, `${some.read} bytes`);
    assert.deepEqual((await list(4 * size, 9)).names.toSorted(), (await list(1_000_000, 9)).names.toSorted());
    assert.equal((await list(1_000_000, 1)).names[0], 'v7');
  });

  it('are listed with what they stand for, the newest first', async () => {
    await using fixture = await createFixture([
      { label: 'one', files: { a: '1' } },
      { label: 'two', files: { a: '2' } },
    ]);
    const { git, repository } = fixture;
    await git(['tag', 'light-one', fixture.id('one')]);
    await git(['tag', 'light-two', fixture.id('two')]);
    await git(['tag', '-a', '-m', 'x', 'heavy', fixture.id('one')], { env: { GIT_COMMITTER_DATE: '1800000000 +0000' } });
    await git(['tag', 'tree', 'main^{tree}']);
    const second = await git(['show', '-s', '--format=%ct', 'main']);
    await git(['tag', '-a', '-m', 'x', 'of-that-second', fixture.id('one')], { env: { GIT_COMMITTER_DATE: `${second} +0000` } });
    const { tags, total } = await listTags(repository, pool, { offset: 0, limit: 50 });
    assert.equal(total, tags.length);
    assert.deepEqual(
      tags.map(({ name }) => name),
      ['heavy', 'of-that-second', 'light-two', 'light-one', 'tree'],
    );
    const [heavy, , light, , tree] = tags;
    assert.equal(heavy?.commit?.oid, fixture.id('one'));
    assert.equal(heavy?.annotated?.oid, heavy?.oid);
    assert.equal(light?.annotated, undefined);
    assert.equal(tree?.commit, undefined);
    assert.equal(tree?.target.type, 'tree');
    assert.deepEqual(await findTag(repository, pool, 'heavy'), heavy);
    assert.equal(await findTag(repository, pool, '../heads/main'), undefined);
  });

  it('splits the signature at the end', () => {
    const head = 'object 1\ntype commit\ntag v1\ntagger a <b> 1 +0000\n\n';
    const signature = '-----BEGIN SSH SIGNATURE-----\nabc\n-----END SSH SIGNATURE-----';
    const tag = parseTag({ oid: '', data: Buffer.from(`${head}Message\n${signature}\n`) });
    assert.equal(tag.message, 'Message');
    assert.equal(tag.signature?.signature, signature);
    assert.equal(tag.signature?.payload.toString(), `${head}Message\n`);
    assert.equal(parseTag({ oid: '', data: Buffer.from(`${head}plain\n`) }).signature, undefined);
    assert.equal(parseTag({ oid: '', data: Buffer.from('object 1\ntype commit\ntag old\n\nx\n') }).tagger.name, '');
  });
});
