// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';
import { runProgram, withoutClient } from './program.ts';

it('terraform keeps its state here, and is locked out', { skip: withoutClient('terraform') }, async () => {
  const t = await testServer();
  const alice = await t.user('alice');
  const url = `${t.url}api/packages/alice/terraform/state/network`;
  const cwd = join(t.folder, 'terraform');
  await mkdir(cwd);
  const backend = `address = "${url}"\nlock_address = "${url}/lock"\nunlock_address = "${url}/lock"\nlock_method = "POST"\nunlock_method = "DELETE"`;
  const output = (value: string) => `terraform {\nbackend "http" {\n${backend}\n}\n}\noutput "greeting" {\nvalue = "${value}"\n}\n`;
  const env = { TF_HTTP_USERNAME: alice.name, TF_HTTP_PASSWORD: alice.password, TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
  const terraform = (...args: string[]) => runProgram('terraform', args, { cwd, env });
  for (const value of ['one', 'two']) {
    await writeFile(join(cwd, 'main.tf'), output(value));
    await terraform('init', '-input=false', '-reconfigure');
    await terraform('apply', '-auto-approve', '-input=false');
    assert.equal((await terraform('output', '-raw', 'greeting')).trim(), value);
  }
  const versions = await alice.must('GET', '/packages/alice/terraform/network');
  assert.equal(versions.length, 2);
  await alice.must('POST', '//api/packages/alice/terraform/state/network/lock', { ID: 'somebody', Who: 'bob@desk' });
  await writeFile(join(cwd, 'main.tf'), output('three'));
  await assert.rejects(terraform('apply', '-auto-approve', '-input=false'), /already locked: ID=somebody/);
});
