// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { zip } from '../support/archives.ts';
import { registry } from '../support/registry.ts';
import { runProgram, withoutClient } from './program.ts';

it('go lists and downloads modules', { skip: withoutClient('go') }, async () => {
  const t = await testServer();
  const alice = await t.user('alice');
  const name = 'example.com/Acme/tool';
  for (const version of ['v1.0.0', 'v1.1.0']) {
    const files = { 'go.mod': `module ${name}\n\ngo 1.20\n`, 'tool.go': `package tool\n\nconst Version = "${version}"\n` };
    const archive = zip(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}@${version}/${path}`, text])));
    assert.equal((await registry('alice').put(alice, 'go/upload', archive)).status, 201);
  }
  const cwd = join(t.folder, 'go');
  await mkdir(cwd);
  await writeFile(join(cwd, 'go.mod'), 'module example.com/main\n\ngo 1.20\n');
  await writeFile(join(cwd, 'main.go'), `package main\n\nimport "${name}"\n\nfunc main() { print(tool.Version) }\n`);
  const env = { GOPROXY: `${t.url}api/packages/alice/go`, GONOSUMDB: '*', GOFLAGS: '-mod=mod -modcacherw', GOTOOLCHAIN: 'local' };
  const go = (...args: string[]) => runProgram('go', args, { cwd, env });
  assert.equal(await go('list', '-m', '-versions', name), `${name} v1.0.0 v1.1.0\n`);
  await go('get', `${name}@latest`);
  assert.match(await go('list', '-m', name), /v1\.1\.0/);
});
