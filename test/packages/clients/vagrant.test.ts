// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { testServer } from '../../support/server.ts';
import { tar } from '../support/archives.ts';
import { registry } from '../support/registry.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

it('vagrant adds and updates boxes of a private account, and is refused', { skip: withoutClient('vagrant') }, async () => {
  const t = await testServer();
  const { owner, refused, hidden } = await privateOwner(t, 'alice');
  const box = gzipSync(await tar({ 'metadata.json': '{"provider":"virtualbox"}', Vagrantfile: '', 'box.ovf': 'x' }));
  const put = async (version: string) => {
    const path = `vagrant/debian/${version}/virtualbox.box`;
    for (const { name, password } of Object.values(refused)) {
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
      assert.equal((await registry('alice').put(t.anonymous, path, box, { authorization })).status, 401);
    }
    assert.equal((await registry('alice').put(owner, path, box)).status, 201);
  };
  await put('1.0.0');
  const cwd = await makeFolder(t, 'vagrant');
  const env = { VAGRANT_HOME: `${cwd}/home`, VAGRANT_CHECKPOINT_DISABLE: '1' };
  const add = ({ name, password }: Credential) => {
    const url = `${t.url}api/packages/alice/vagrant/debian`.replace('://', `://${name}:${password}@`);
    return runProgram('vagrant', ['box', 'add', url, '--provider', 'virtualbox', '--clean'], { cwd, env });
  };
  for (const [who, credential] of Object.entries(hidden)) await assert.rejects(add(credential), /401|403|404/, who);
  // It signs in to the catalog alone, and downloads the box without credentials.
  await t.admin.must('PATCH', '/admin/users/alice', { login_name: 'alice', source_id: 0, visibility: 'public' });
  await add(owner);
  assert.match(await runProgram('vagrant', ['box', 'list'], { cwd, env }), /debian\s+\(virtualbox, 1\.0\.0/);
});
