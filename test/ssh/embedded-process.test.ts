// On SQLite alone: what this asks of the database is asked of both by access.test.ts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createEmbeddedServer } from '../../src/ssh/embedded/server.ts';
import { openHostKeys } from '../../src/ssh/host-keys.ts';
import { codeRepository } from '../code/repository.ts';
import { eventually } from '../support/eventually.ts';
import { SERVERS, sshServer, withoutClient } from './ssh.ts';

const skip = withoutClient || (process.platform !== 'linux' && 'processes are looked for in /proc');

/** The processes that speak SSH for this one. */
function speaking(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
        const [state, parent] = after.split(' ');
        return state !== 'Z' && parent === String(process.pid) && /embedded\/program/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe('the process of the embedded server', { skip }, () => {
  it('is started again when it was killed, and its clients are disconnected', async () => {
    const { t, client } = await sshServer(SERVERS[0]);
    const alice = await t.user('alice');
    const alices = client('alice');
    await alice.must('POST', '/user/keys', { title: 'laptop', key: alices.publicKey });
    await codeRepository(t, alice, 'demo', [{ label: 'one', files: { 'a.txt': 'a\n' } }]);
    const [program = '', ...options] = alices.command.split(' ');
    const open = spawn(program, [...options, 'git@127.0.0.1', "git-upload-pack 'alice/demo'"]);
    const left = once(open, 'exit');
    await once(open.stdout, 'data');
    const [pid, ...others] = speaking();
    assert.deepEqual([pid !== undefined, others], [true, []]);
    process.kill(pid ?? 0, 'SIGKILL');
    assert.equal((await left)[0], 255);
    await eventually(async () => (await alices.run('ssh_info')).code === 0, 'a new process');
    assert.notEqual(speaking()[0], pid);
  });

  it('ends with its server', async () => {
    const { t } = await sshServer(SERVERS[0]);
    const { services } = t.server;
    const others = speaking();
    const server = await createEmbeddedServer(services, new Map(), await openHostKeys(services.settings.ssh.hostKeys));
    assert.equal(speaking().length, others.length + 1);
    await server.close();
    await eventually(() => speaking().length === others.length, 'the end of the process');
  });

  it('is not begun with algorithms that it does not have', async () => {
    const others = speaking();
    await assert.rejects(
      sshServer(SERVERS[0], { ssh: { ciphers: ['3des-cbc'] } }),
      /ssh\.ciphers has nothing that the embedded SSH server supports/,
    );
    await eventually(() => speaking().length === others.length, 'the end of the process');
  });
});
