// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { zip } from './support/archives.ts';
import { digestsOf, inShort, registry } from './support/registry.ts';

const t = await testServer({ packages: { limitSizePypi: 1000 } });
const alice = await t.user('alice');
const bob = await t.user('bob');
const pypi = registry('alice');

/** What `twine upload` sends; a file that is undefined is left out. */
function upload(caller: Client, file: string | undefined, content: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) {
  const form = new FormData();
  const all = { ':action': 'file_upload', name: 'My_Tool', version: '1.0', sha256_digest: digestsOf(content).sha256, ...fields };
  // Some clients send the file first.
  if (file !== undefined && fields.order === 'file first') form.append('content', new Blob([content]), file);
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  if (file !== undefined && fields.order !== 'file first') form.append('content', new Blob([content]), file);
  return caller.send('POST', '//api/packages/alice/pypi/', { form });
}

const JSON_TYPE = 'application/vnd.pypi.simple.v1+json';
const listed = async (name: string) => (await pypi.get(t.anonymous, `pypi/simple/${name}/`, { accept: JSON_TYPE })).json;

describe('a Python package', () => {
  it('is uploaded file by file, listed under each form of its name, and downloaded', async () => {
    assert.deepEqual(inShort(await upload(alice, 'my_tool-1.0.tar.gz', 'source', { requires_python: '>=3.8,<"4"' })), [201, '']);
    assert.equal((await upload(alice, 'my_tool-1.0-py3-none-any.whl', 'wheel', { order: 'file first' })).status, 201);
    for (const name of ['my-tool', 'My.Tool', 'my_tool']) {
      const page = await pypi.get(t.anonymous, `pypi/simple/${name}/`);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(
        page.text,
        /my_tool-1\.0\.tar\.gz#sha256=[0-9a-f]{64}" data-requires-python="&gt;=3\.8,&lt;&#34;4&#34;">my_tool-1\.0\.tar\.gz</,
      );
    }
    const { files, versions, name } = await listed('my-tool');
    assert.deepEqual([name, versions, files.length], ['my-tool', ['1.0'], 2]);
    const source = files.find(({ filename }: { filename: string }) => filename.endsWith('.gz'));
    assert.deepEqual(
      [source.filename, source.hashes, source['requires-python'], source.size],
      ['my_tool-1.0.tar.gz', { sha256: digestsOf('source').sha256 }, '>=3.8,<"4"', 6],
    );
    const downloaded = await pypi.get(t.anonymous, `pypi/${source.url.split('/pypi/')[1]}`);
    assert.deepEqual(inShort(downloaded), [200, 'source']);
  });

  it('has the metadata of its wheels beside them', async () => {
    const metadata = 'Metadata-Version: 2.1\nName: meta\nRequires-Dist: other\n';
    const wheel = new Uint8Array(zip({ 'meta/a.dist-info/METADATA': 'x', 'meta.py': '', 'meta-1.0.dist-info/METADATA': metadata }));
    const name = { name: 'meta', sha256_digest: digestsOf(wheel).sha256 };
    assert.equal((await upload(alice, 'meta-1.0-py3-none-any.whl', wheel, name)).status, 201);
    await upload(alice, 'meta-1.0.tar.gz', 'source', { name: 'meta' });
    await upload(alice, 'meta-1.0-py2-none-any.whl', 'broken', { name: 'meta' });
    const { files } = await listed('meta');
    const shown = files.map(({ filename, 'core-metadata': core }: Record<string, unknown>) => [filename, core]);
    assert.deepEqual(shown, [
      ['meta-1.0-py2-none-any.whl', true],
      ['meta-1.0-py3-none-any.whl', true],
      ['meta-1.0.tar.gz', undefined],
    ]);
    for (const _ of ['from the wheel', 'again']) {
      assert.deepEqual(inShort(await pypi.get(t.anonymous, 'pypi/files/meta/1.0/meta-1.0-py3-none-any.whl.metadata')), [200, metadata]);
    }
    for (const file of ['meta-1.0-py2-none-any.whl', 'none-1.0-py3-none-any.whl', 'meta-1.0.tar.gz']) {
      assert.equal((await pypi.get(t.anonymous, `pypi/files/meta/1.0/${file}.metadata`)).status, 404);
    }
  });

  it('is listed as JSON only to clients that want that more than HTML', async () => {
    await upload(alice, 'kinds-1.tar.gz', 'kinds', { name: 'kinds' });
    const type = async (accept: string) => (await pypi.get(alice, 'pypi/simple/kinds', { accept })).headers.get('content-type');
    assert.equal(await type(`${JSON_TYPE}, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01`), JSON_TYPE);
    assert.equal(await type(`text/html, ${JSON_TYPE};q=0.5`), 'text/html; charset=utf-8');
    assert.equal(await type('*/*'), 'text/html; charset=utf-8');
  });

  it('is listed without what was deleted', async () => {
    for (const version of ['1', '2']) await upload(alice, `gone-${version}.tar.gz`, version, { name: 'gone', version });
    assert.equal((await listed('gone')).files.length, 2);
    await alice.must('DELETE', '/packages/alice/pypi/gone/1');
    assert.deepEqual((await listed('gone')).versions, ['2']);
    await alice.must('DELETE', '/packages/alice/pypi/gone/2');
    assert.deepEqual(inShort(await pypi.get(alice, 'pypi/simple/gone')), [404, '']);
  });

  it('is listed with the URLs of its owner after a rename', async () => {
    const carol = await t.user('carol');
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: 'moved', version: '1', sha256_digest: digestsOf('x').sha256 }))
      form.append(name, value);
    form.append('content', new Blob(['x']), 'moved-1.tar.gz');
    assert.equal((await carol.send('POST', '//api/packages/carol/pypi', { form })).status, 201);
    assert.match((await registry('carol').get(alice, 'pypi/simple/moved')).text, /packages\/carol\/pypi/);
    await t.admin.must('POST', '/admin/users/carol/rename', { new_username: 'caroline' });
    assert.match((await registry('caroline').get(alice, 'pypi/simple/moved')).text, /packages\/caroline\/pypi/);
    const { status, headers } = await registry('carol').get(alice, 'pypi//simple/moved/?a=b/');
    assert.deepEqual([status, headers.get('location')], [307, '/api/packages/caroline/pypi/simple/moved?a=b/']);
  });
});

describe('the Python index', () => {
  it('lists all projects, as a page and as JSON, however many there are', async () => {
    const projects = registry('projects');
    const { id } = await t.context.db
      .selectFrom('users')
      .select('id')
      .where('name', '=', (await t.user('projects')).name)
      .executeTakeFirstOrThrow();
    assert.deepEqual((await projects.get(t.anonymous, 'pypi/simple/', { accept: JSON_TYPE })).json.projects, []);
    const names = Array.from({ length: 1201 }, (_, number) => `project-${String(number).padStart(4, '0')}`);
    const about = { owner_id: id, type: 'pypi', is_internal: false, semver_compatible: false, created_at: 0 } as const;
    const rows = [...names, 'empty'].map((name) => ({ ...about, name: name.toUpperCase(), lower_name: name }));
    for (let at = 0; at < rows.length; at += 400) {
      const added = await t.context.db
        .insertInto('packages')
        .values(rows.slice(at, at + 400))
        .returning(['id', 'lower_name'])
        .execute();
      const versions = added
        .filter(({ lower_name: name }) => name !== 'empty')
        .map((row) => ({
          package_id: row.id,
          owner_id: id,
          type: 'pypi' as const,
          version: '1',
          lower_version: '1',
          is_internal: false,
          created_at: 0,
        }));
      await t.context.db.insertInto('package_versions').values(versions).execute();
    }
    const { json } = await projects.get(t.anonymous, 'pypi/simple/', { accept: JSON_TYPE });
    assert.deepEqual(json, { meta: { 'api-version': '1.1' }, projects: names.map((name) => ({ name })) });
    const page = await projects.get(t.anonymous, 'pypi/simple');
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(page.text.match(/<a href/g)?.length, names.length);
    assert.ok(page.text.includes(`/api/packages/projects/pypi/simple/project-0000/">project-0000</a>`));
  });

  it('refuses what is not a package', async () => {
    const text = async (file: string | undefined, fields: Record<string, string>, content = 'x') =>
      inShort(await upload(alice, file, content, fields));
    assert.deepEqual(await text('a-1.tar.gz', { name: 'a', sha256_digest: '0' }), [400, 'hash mismatch']);
    assert.deepEqual(await text('a-1.tar.gz', { name: '-a-' }), [400, 'invalid name or version']);
    assert.deepEqual(await text('a-1.tar.gz', { name: 'a', version: 'one' }), [400, 'invalid name or version']);
    assert.deepEqual(await text('a-1.tar.gz', { name: 'a', version: `1${'-'.repeat(100_000)}` }), [400, 'invalid name or version']);
    assert.equal((await text(undefined, { name: 'a' }))[0], 400);
    assert.equal((await text('a-1.tar.gz', { name: 'a', description: 'x'.repeat(600_000), summary: 'x'.repeat(600_000) }))[0], 403);
    assert.deepEqual(await text('a-1.tar.gz', { name: 'a' }, 'x'.repeat(1001)), [403, 'maximum allowed package type size exceeded']);
    assert.deepEqual(inShort(await pypi.post(alice, 'pypi/', 'x')), [400, "request Content-Type isn't multipart/form-data"]);
    assert.equal((await upload(bob, 'a-1.tar.gz', 'x', { name: 'a' })).status, 401);
    assert.equal((await pypi.get(alice, 'pypi/simple/a')).status, 404);
  });

  it('keeps a file as it is, and escapes names in its pages', async () => {
    assert.equal((await upload(alice, 'b"><b>.tar.gz', 'first', { name: 'b' })).status, 201);
    assert.deepEqual(inShort(await upload(alice, 'b"><b>.tar.gz', 'second', { name: 'b' })), [409, 'package file already exists']);
    const { text } = await pypi.get(alice, 'pypi/simple/b');
    assert.ok(!text.includes('<b>'), text);
  });
});
