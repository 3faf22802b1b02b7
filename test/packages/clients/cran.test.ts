// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { registry } from '../support/registry.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

it('R installs packages of a private repository, and is refused', { skip: withoutClient('R', 'Rscript') }, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const cwd = await makeFolder(t, 'cran', {
    'hello/DESCRIPTION':
      'Package: hello\nVersion: 1.0\nTitle: Hello\nDescription: Hello.\nLicense: MIT\nAuthor: Ann\nMaintainer: Ann <ann@example.com>\n',
    'hello/NAMESPACE': 'export(hello)\n',
    'hello/R/hello.R': 'hello <- function() "hello"\n',
  });
  await runProgram('R', ['CMD', 'build', '--no-manual', 'hello'], { cwd });
  const source = await readFile(join(cwd, 'hello_1.0.tar.gz'));
  for (const { name, password } of Object.values(refused)) {
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    assert.equal((await registry('alice').put(t.anonymous, 'cran/src', source, { authorization })).status, 401);
  }
  assert.equal((await registry('alice').put(owner, 'cran/src', source)).status, 201);
  const install = async (folder: string, { name, password }: Credential) => {
    await makeFolder(t, `cran/${folder}`);
    const url = `${t.url}api/packages/alice/cran`.replace('://', `://${name}:${password}@`);
    const script = `options(warn = 2); install.packages("hello", lib = "${folder}", repos = "${url}"); library(hello, lib.loc = "${folder}"); cat(hello())`;
    return await runProgram('Rscript', ['-e', script], { cwd });
  };
  for (const [who, credential] of Object.entries(hidden))
    await assert.rejects(install('none', credential), /401|unable to access index|cannot open/, who);
  assert.match(await install('library', owner), /hello$/);
});
