// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { testServer } from '../../support/server.ts';
import { tar, zip } from '../support/archives.ts';
import { registry } from '../support/registry.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

const INSTALL = `
import asyncio, sys
import rattler

async def main():
    url, target = sys.argv[1:]
    records = await rattler.solve([rattler.Channel(url)], ["copse-tool"], platforms=["noarch"])
    await rattler.install(records, target)

asyncio.run(main())
`;

it('rattler solves and installs packages of a private channel, and is refused', {
  skip: withoutClient('client-python'),
}, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const index = { name: 'copse-tool', version: '1.0', build: '0', build_number: 0, subdir: 'noarch', noarch: 'generic', depends: [] };
  const info = {
    'info/index.json': JSON.stringify(index),
    'info/paths.json': JSON.stringify({ paths_version: 1, paths: [{ _path: 'tool.txt', path_type: 'hardlink', size_in_bytes: 4 }] }),
  };
  const content = zip({
    'metadata.json': JSON.stringify({ conda_pkg_format_version: 2 }),
    'info-copse-tool-1.0-0.tar.zst': zstdCompressSync(await tar(info)),
    'pkg-copse-tool-1.0-0.tar.zst': zstdCompressSync(await tar({ 'tool.txt': 'tool' })),
  });
  for (const { name, password } of Object.values(refused)) {
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    assert.equal((await registry('alice').put(t.anonymous, 'conda/copse-tool-1.0-0.conda', content, { authorization })).status, 401);
  }
  assert.equal((await registry('alice').put(owner, 'conda/copse-tool-1.0-0.conda', content)).status, 201);
  let folders = 0;
  const install = async ({ name, password }: Credential) => {
    const cwd = await makeFolder(t, `conda-${++folders}`, { 'install.py': INSTALL });
    const url = `${t.url}api/packages/alice/conda`.replace('://', `://${name}:${password}@`);
    await runProgram('client-python', ['install.py', url, join(cwd, 'target')], { cwd, env: { XDG_CACHE_HOME: join(cwd, 'cache') } });
    return await readFile(join(cwd, 'target/tool.txt'), 'utf8');
  };
  for (const [who, credential] of Object.entries(hidden)) await assert.rejects(install(credential), /401|[Uu]nauthorized/, who);
  assert.equal(await install(owner), 'tool');
});
