// On SQLite alone: what this asks of the database is asked of both by access.test.ts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { eventually } from '../support/eventually.ts';
import { onEachServer, sshClient } from './ssh.ts';

const bounds = { ssh: { maxAuthAttempts: 2, connectionsPerAddress: 60, sessionsPerConnection: 3 }, limits: { fetchesPerCaller: 1 } };
const runs = await onEachServer(bounds, async ({ t, client }) => {
  const alice = await t.user('alice');
  const alices = client('alice');
  await alice.must('POST', '/user/keys', { title: 'laptop', key: alices.publicKey });
  await codeRepository(t, alice, 'demo', [{ label: 'one', files: { 'a.txt': 'a\n' } }]);
  return { t, alice, alices, client, port: Number(t.server.services.settings.ssh.port) };
});
const idle = await onEachServer({ ssh: { idleTimeout: 200 } }, async ({ t }) => Number(t.server.services.settings.ssh.port));
const failing = await onEachServer(
  { ssh: { maxAuthAttempts: 1 }, throttle: { freePerAddress: 0, refusedPerAddress: 2 } },
  async ({ t }) => ({ t, port: Number(t.server.services.settings.ssh.port) }),
);

/** What a server says to somebody who speaks these bytes, until it ends the connection. */
function saidTo(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => bytes.length > 0 && socket.write(bytes));
    socket.setEncoding('latin1').on('data', (text: string) => {
      said += text;
    });
    socket.on('error', () => {}).on('close', () => resolve(said));
  });
}

/** Whether a server ends a connection without a word; otherwise it stays open. */
function isRefused(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.on('data', () => resolve(false));
    socket.on('close', () => resolve(true));
  });
}

for (const { name, skip, prepared } of runs) {
  describe(`the bounds of ${name}`, { skip }, () => {
    const { t, alices, client, port } = prepared();

    it('end a connection after some keys that are not good', async () => {
      const others = [1, 2, 3].map((number) => client(`other${number}`).key);
      const { code, stderr } = await alices.run(undefined, ['-v', '-o', 'IdentityFile=none', ...others.flatMap((key) => ['-i', key])]);
      assert.equal(code, 0, 'its own key comes first');
      assert.doesNotMatch(stderr, /Too many/);
      const stranger = client('stranger');
      const options = ['-v', ...others.flatMap((key) => ['-i', key])];
      const refused = await stranger.run(undefined, options);
      assert.equal(refused.code, 255);
      const offered = refused.stderr.split('\n').filter((line) => line.includes('Offering public key')).length;
      assert.ok(offered >= 1 && offered <= 2, `${offered} keys were looked at`);
    });

    it('serve many connections at once', async () => {
      const many = await Promise.all(Array.from({ length: 40 }, () => alices.run('ssh_info')));
      assert.deepEqual(
        many.filter(({ code, stdout }) => code !== 0 || !stdout.includes('agit')),
        [],
      );
    });

    it('let clients sign in beside those that say nothing', async () => {
      const silent = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').on('error', () => {}));
      try {
        await Promise.all(silent.map((socket) => once(socket, 'connect')));
        const { code, stderr } = await alices.run('ssh_info', ['-o', 'ConnectTimeout=25']);
        assert.equal(code, 0, stderr);
      } finally {
        for (const socket of silent) socket.destroy();
      }
    });

    it('refuse connections beyond those of an address', async () => {
      const open: Socket[] = [];
      const another = () => {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        open.push(socket);
        return socket;
      };
      try {
        for (let number = 0; number < 60; number++) another();
        // Some of them may have been refused beside connections of the test before: each attempt stays, too.
        await eventually(() => isRefused(another()), 'a refusal');
      } finally {
        for (const socket of open) socket.destroy();
      }
      await eventually(async () => (await alices.run('ssh_info')).code === 0, 'a free place');
    });

    it('outlast what is not SSH', async () => {
      const hostile = [
        'GET / HTTP/1.0\r\n\r\n',
        Buffer.alloc(70_000, 0),
        `SSH-2.0-x\r\n${'\xff'.repeat(5000)}`,
        'SSH-1.5-old\r\n',
        '\n'.repeat(20_000),
      ];
      await Promise.all(hostile.map((bytes) => saidTo(port, bytes)));
      assert.equal((await alices.run('ssh_info')).code, 0);
      assert.equal((await t.anonymous.get('/version')).status, 200);
    });

    it('end what a client has begun when it goes', async () => {
      const running = execFile('ssh', [
        ...alices.command.split(' ').slice(1),
        '127.0.0.1',
        '-l',
        t.server.services.settings.ssh.user,
        "git-upload-pack 'alice/demo'",
      ]);
      await new Promise((resolve) => running.stdout?.once('data', resolve));
      running.kill('SIGKILL');
      // The next one waits for the only permit.
      assert.equal((await alices.run("git-upload-pack 'alice/demo'")).stderr.includes('error:'), false);
    });
  });
}

for (const { name, skip, prepared } of idle) {
  it(`an idle connection is closed by ${name}`, { skip }, async () => {
    assert.match(await saidTo(prepared(), ''), /^SSH-2\.0-/);
  });
}

for (const { name, skip, prepared } of failing) {
  it(`an address with many failures is not served by ${name}`, { skip }, async () => {
    const { t, port } = prepared();
    const stranger = sshClient(t, 'stranger');
    for (let failures = 0; failures < 2; failures++) assert.equal((await stranger.run()).code, 255);
    await eventually(() => isRefused(connect(port, '127.0.0.1').on('error', () => {})), 'a refusal');
  });
}
