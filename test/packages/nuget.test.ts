// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { type ArchivedFiles, zip } from './support/archives.ts';
import { inShort, registry, storedKeys } from './support/registry.ts';

const t = await testServer({ packages: { limitSizeNuget: 100_000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const nuget = registry('alice');

const nuspec = (id: string, version: string, extra = '') =>
  `<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"><metadata><id>${id}</id><version>${version}</version><authors>Ann</authors><description>A &amp; b</description>${extra}</metadata></package>`;
const push = async (caller: Client, files: ArchivedFiles, path = 'nuget/') => await nuget.put(caller, path, zip(files));
const publish = (id: string, version: string, extra?: string) => push(alice, { [`${id}.nuspec`]: nuspec(id, version, extra) });
const message = (text: string) => JSON.stringify({ Message: text });

/** A portable PDB with this id and no more. */
function pdb(id: Buffer): Buffer {
  const stream = Buffer.from('#Strings\0\0\0\0#Pdb\0\0\0\0', 'latin1');
  const root = Buffer.alloc(100);
  root.writeUInt32LE(0x424a5342, 0);
  root.writeUInt32LE(12, 12);
  root.write('PDB v1.0', 16);
  root.writeUInt16LE(2, 30);
  root.writeUInt32LE(90, 32);
  stream.copy(root, 40, 0, 12);
  root.writeUInt32LE(80, 52);
  stream.copy(root, 60, 12, 20);
  id.copy(root, 80);
  return root;
}

describe('a NuGet package', () => {
  it('is pushed, and found in the order of its versions', async () => {
    const extra =
      '<dependencies><dependency id="Any" version="1"/><group targetFramework="net8.0"><dependency id="Json" version="[13.0,)"/></group></dependencies><readme>docs\\readme.md</readme>';
    const files = { 'Acme.Tool.nuspec': nuspec('Acme.Tool', '1.10', extra), 'docs/readme.md': '# Tool' };
    assert.deepEqual(inShort(await push(alice, files)), [201, '']);
    for (const version of ['1.9.0', '2.0.0-rc.1', '1.9.0.1+build']) await publish('Acme.Tool', version);
    const { items } = (await nuget.get(t.anonymous, 'nuget/registration/acme.tool/index.json')).json;
    assert.deepEqual([items[0].lower, items[0].upper, items[0].count], ['1.9.0', '2.0.0-rc.1', 4]);
    const { versions } = (await nuget.get(t.anonymous, 'nuget/package/acme.tool/index.json')).json;
    assert.deepEqual(versions, ['1.9.0.1', '2.0.0-rc.1', '1.9.0', '1.10.0']);
    const leaf = (await nuget.get(t.anonymous, 'nuget/registration/acme.tool/1.10.0.json')).json;
    assert.deepEqual(leaf.catalogEntry.dependencyGroups, [
      { targetFramework: '', dependencies: [{ id: 'Any', range: '1' }] },
      { targetFramework: 'net8.0', dependencies: [{ id: 'Json', range: '[13.0,)' }] },
    ]);
    const content = await nuget.get(t.anonymous, `nuget/${leaf.packageContent.split('/nuget/')[1]}`);
    assert.ok(content.bytes.equals(zip(files)));
    assert.match((await nuget.get(t.anonymous, 'nuget/package/acme.tool/1.10.0/acme.tool.nuspec')).text, /<id>Acme\.Tool</);
    const row = await t.context.db
      .selectFrom('package_versions')
      .select('metadata')
      .where('version', '=', '1.10.0')
      .executeTakeFirstOrThrow();
    assert.equal(JSON.parse(row.metadata).readme, '# Tool');
  });

  it('is searched for in both versions of the protocol', async () => {
    await publish('Find.B', '1.0.0');
    await publish('find.a', '1.0.0');
    await publish('find.a', '0.9.0');
    const { totalHits, data } = (await nuget.get(t.anonymous, 'nuget/query?q=FIND&take=5')).json;
    const shown = data.map(({ id, version }: { id: string; version: string }) => `${id} ${version}`);
    assert.deepEqual([totalHits, shown], [2, ['find.a 1.0.0', 'Find.B 1.0.0']]);
    assert.deepEqual((await nuget.get(t.anonymous, `nuget/query?q=find&skip=${'9'.repeat(20)}`)).json.data, [], 'past the end');
    const feed = async (path: string) =>
      [...(await nuget.get(t.anonymous, `nuget/${path}`)).text.matchAll(/<d:Id>([^<]*)/g)].map(([, id]) => id).sort();
    assert.deepEqual(await feed("Search()?searchTerm='find'"), ['Find.B', 'find.a']);
    assert.deepEqual(await feed("Packages()?$filter=Id eq 'find.b'".replaceAll(' ', '%20')), ['Find.B']);
    assert.deepEqual(await feed("FindPackagesById()?id='find.a'"), ['find.a', 'find.a']);
    assert.equal((await nuget.get(t.anonymous, "nuget/FindPackagesById()/$count?id='find.a'")).text, '2');
    const first = (await nuget.get(t.anonymous, "nuget/Search()?searchTerm='find'&$top=1")).text;
    const next = /rel="next" href="[^"]*\/nuget\/([^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    assert.equal((await feed(next)).length, 1);
    const entry = (await nuget.get(t.anonymous, "nuget/Packages(Id='find.a',Version='1.0.0')")).text;
    assert.match(entry, /<d:Description>A &amp; b<\/d:Description>/);
  });

  it('goes from the lists when it is deleted', async () => {
    await publish('Gone', '1.0.0');
    assert.equal((await nuget.get(alice, 'nuget/registration/gone/index.json')).status, 200);
    assert.equal((await nuget.delete(bob, 'nuget/Gone/1.0.0')).status, 401);
    assert.equal((await nuget.delete(alice, 'nuget/gone/1.0.0')).status, 204);
    assert.deepEqual(inShort(await nuget.get(alice, 'nuget/registration/gone/index.json')), [404, message('')]);
  });

  it('gets symbols, which debuggers find by their ids', async () => {
    await publish('Sym', '1.0.0');
    const id = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
    const types = '<packageTypes><packageType name="SymbolsPackage"/></packageTypes>';
    const files = { 'Sym.nuspec': nuspec('Sym', '1.0.0', types), '_rels/.rels': '', 'lib/net8.0/Sym.pdb': pdb(id) };
    assert.deepEqual(inShort(await push(alice, files, 'nuget/symbolpackage')), [201, '']);
    const key = '33221100554477668899aabbccddeeff';
    const found = await nuget.get(t.anonymous, `nuget/symbols/Sym.pdb/${key.toUpperCase()}FFFFFFFF/Sym.pdb`);
    assert.ok(found.bytes.equals(pdb(id)), `${found.status} ${found.text}`);
    assert.equal((await nuget.get(t.anonymous, `nuget/symbols/Sym.pdb/${'0'.repeat(32)}ffffffff/Sym.pdb`)).status, 404);
    assert.equal((await nuget.get(t.anonymous, `nuget/symbols/Sym.pdb/${key}ffffffff/other.pdb`)).status, 400);
    const symbols = async (more: ArchivedFiles, name = 'Sym') =>
      inShort(await push(alice, { 'x.nuspec': nuspec(name, '1.0.0', types), ...more }, 'nuget/symbolpackage'));
    assert.deepEqual(await symbols({}), [400, message('package does not contain PDB files')]);
    assert.deepEqual(await symbols({ 'a.exe': '' }), [400, message('package contains invalid files')]);
    assert.deepEqual(await symbols({ 'a.pdb': 'x' }), [400, message('invalid Portable PDB magic number')]);
    assert.deepEqual(await symbols({ 'a.pdb': pdb(id) }, 'None'), [404, message('package does not exist')]);
    assert.deepEqual(await symbols({ 'a.pdb': pdb(id) }), [409, message('package file already exists')]);
    assert.deepEqual(inShort(await push(alice, files)), [400, message('unexpected package type')]);
    const before = await storedKeys(t);
    const bomb = zip(
      { 'x.nuspec': nuspec('Sym', '1.0.0', types), 'b.pdb': pdb(id), 'c.pdb': Buffer.alloc(8 * 1024 * 1024) },
      { isDeflated: true },
    );
    const refused = inShort(await nuget.put(alice, 'nuget/symbolpackage', bomb));
    assert.deepEqual(refused, [400, message('the archive is more than 100 times as long without compression')]);
    assert.deepEqual(await storedKeys(t), before);
  });
});

describe('the NuGet registry', () => {
  it('takes a token as the key of the client', async () => {
    const { password } = await alice.token(['write:package']);
    const keyed = (key: string) =>
      nuget.put(t.anonymous, 'nuget', zip({ 'Keyed.nuspec': nuspec('Keyed', '1.0.0') }), { 'x-nuget-apikey': key });
    assert.equal((await keyed('wrong')).status, 401);
    assert.equal((await keyed((await alice.token(['read:package'])).password)).status, 401);
    assert.equal((await keyed(password)).status, 201);
  });

  it('tells clients what it has before they sign in', async () => {
    await t.user('hidden', { visibility: 'private' });
    for (const path of ['nuget/index.json', 'nuget/', 'nuget/$metadata'])
      assert.equal((await registry('hidden').get(t.anonymous, path)).status, 200);
    assert.equal((await registry('hidden').get(t.anonymous, 'nuget/query')).status, 401);
  });

  it('refuses what is not a package', async () => {
    const refusal = async (files: ArchivedFiles) => inShort(await push(alice, files));
    assert.deepEqual(await refusal({ 'a.txt': '' }), [400, message('Nuspec file is missing')]);
    assert.deepEqual(await refusal({ 'lib/a.nuspec': nuspec('A', '1.0.0') }), [400, message('Nuspec file is missing')]);
    assert.deepEqual(await refusal({ 'a.nuspec': nuspec('a b', '1.0.0') }), [400, message('Nuspec file contains an invalid id')]);
    assert.deepEqual(await refusal({ 'a.nuspec': nuspec('A', 'one') }), [400, message('Nuspec file contains an invalid version')]);
    assert.equal((await refusal({ 'a.nuspec': `<!DOCTYPE a [<!ENTITY x "y">]>${nuspec('A', '1')}` }))[0], 400);
    assert.equal((await nuget.put(alice, 'nuget', 'no archive')).status, 400);
    assert.deepEqual(await refusal({ 'a.nuspec': nuspec('A', '1.0.0'), b: 'x'.repeat(100_000) }), [
      403,
      message('maximum allowed package type size exceeded'),
    ]);
    assert.equal((await push(new Client(() => t.url), { 'a.nuspec': nuspec('A', '1') })).status, 401);
  });
});
