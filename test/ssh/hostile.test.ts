// On SQLite alone: what is bounded here is the connection.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type Duplex, duplexPair, Transform } from 'node:stream';
import { describe, it } from 'node:test';
import ssh2 from 'ssh2';
import { speakSsh } from '../../src/ssh/embedded/speak.ts';
import { openHostKeys } from '../../src/ssh/host-keys.ts';
import { findOfferedKey } from '../../src/ssh/identity.ts';
import { codeRepository } from '../code/repository.ts';
import { closed } from '../support/closed.ts';
import { eventually } from '../support/eventually.ts';
import { SERVERS, sshServer, withoutClient } from './ssh.ts';

/** What ssh2's client can send besides what it offers (1.17.0, lib/protocol/Protocol.js). */
interface Wire {
  readonly _protocol: {
    exec(channel: number, command: string, wantReply: boolean): void;
    env(channel: number, name: string, value: string, wantReply: boolean): void;
    shell(channel: number, wantReply: boolean): void;
    signal(channel: number, name: string): void;
    ping(): void;
    readonly _handlers: Record<string, () => void>;
    authNone(user: string): void;
    authPassword(user: string, password: unknown): void;
    authPK(user: string, key: unknown): void;
  };
}
type HostileClient = ssh2.Client & Wire;

const skip = withoutClient;
const prepared = skip ? undefined : await prepare();

async function prepare() {
  const { t, client } = await sshServer(SERVERS[0], {
    ssh: { maxAuthAttempts: 3, sessionsPerConnection: 2, loginTimeout: 60_000, connectionsPerAddress: 50 },
  });
  const alice = await t.user('alice');
  const alices = client('alice');
  await alice.must('POST', '/user/keys', { title: 'laptop', key: alices.publicKey });
  await codeRepository(t, alice, 'demo', [{ label: 'one', files: { 'a.txt': 'a\n' } }]);
  const slow = await sshServer(SERVERS[0], { ssh: { loginTimeout: 300 } });
  const portOf = ({ server }: typeof t) => Number(server.services.settings.ssh.port);
  return { t, alices, port: portOf(t), slowPort: portOf(slow.t) };
}

/** A connection that is signed in. */
async function signedIn(key: string, over: { port: number } | { sock: Duplex }): Promise<HostileClient> {
  const client = new ssh2.Client();
  const ready = new Promise<void>((resolve, reject) => void client.once('ready', resolve).once('error', reject));
  client.on('error', () => {});
  client.connect({ host: '127.0.0.1', ...over, username: 'git', privateKey: readFileSync(key) });
  await ready;
  return client as unknown as HostileClient;
}

const opened = (client: ssh2.Client, command: string) =>
  new Promise<ssh2.ClientChannel>((resolve, reject) => {
    client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)));
  });
/** The exit code of a command, and what it wrote. */
const runOn = (client: ssh2.Client, command: string) =>
  new Promise<{ code: number; said: string }>((resolve, reject) => {
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      let [said, code] = ['', -1];
      const note = (data: Buffer) => {
        said += data;
      };
      channel.on('data', note).stderr.on('data', note);
      channel.on('exit', (exit: number) => {
        code = exit;
      });
      channel.on('close', () => resolve({ code, said }));
    });
  });
const idOf = (channel: ssh2.ClientChannel) => (channel as unknown as { outgoing: { id: number } }).outgoing.id;
const firstOf = (channel: ssh2.ClientChannel) => once(channel, 'data').then(([data]) => String(data));
const isRefused = (ask: (done: (error?: Error | null) => void) => unknown) =>
  new Promise<boolean>((resolve) => ask((error) => resolve(Boolean(error))));
/** Two ends of a connection with little room, over which nothing arrives while it is sent. */
function slowPair(): [Duplex, Duplex] {
  const options = { highWaterMark: 4096 };
  const [near, one] = duplexPair(options);
  const [other, far] = duplexPair(options);
  const later = () =>
    new Transform({ ...options, transform: (chunk, _encoding, done) => void setImmediate(() => done(null, chunk)) }).on('error', () => {});
  one.pipe(later()).pipe(other).pipe(later()).pipe(one);
  return [near, far];
}
/** Resolves when the server has ended a connection that goes on speaking. */
function endOf(port: number, speak: (socket: Socket) => void): Promise<unknown> {
  const socket = connect(port, '127.0.0.1', () => speak(socket)).on('error', () => {});
  return closed(socket.resume());
}

describe('a hostile client', { skip, concurrency: true }, () => {
  if (!prepared) return;
  const { t, alices, port, slowPort } = prepared;
  const { services } = t.server;
  const isServing = async () => (await alices.run('ssh_info')).code === 0;

  it('has some time to sign in, however slowly it speaks', async () => {
    await endOf(slowPort, () => {});
    await endOf(slowPort, (socket) => socket.write('SSH-2.0-x\r\n'));
    await endOf(slowPort, (socket) => {
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
  });

  it('has some attempts to sign in, of whatever kind', async () => {
    const key = ssh2.utils.parseKey(alices.publicKey);
    const ways: Record<string, (wire: Wire['_protocol']) => void> = {
      none: (wire) => wire.authNone('git'),
      password: (wire) => wire.authPassword('git', 'x'),
      // Whether a key is known can be asked for without a signature.
      question: (wire) => wire.authPK('git', key),
    };
    for (const [name, ask] of Object.entries(ways)) {
      const client = new ssh2.Client().on('error', () => {});
      let asked = 0;
      const askAgain = () => {
        asked++;
        const { _protocol: wire } = client as unknown as Wire;
        Object.assign(wire._handlers, { USERAUTH_PK_OK: askAgain, USERAUTH_FAILURE: askAgain });
        ask(wire);
      };
      client.connect({ host: '127.0.0.1', port, username: 'git', password: 'x', authHandler: askAgain } as ssh2.ConnectConfig);
      await closed(client);
      assert.ok(asked >= 3 && asked <= 8, `${asked} times ${name}`);
    }
  });

  it('runs one command on a channel', async () => {
    const client = await signedIn(alices.key, { port });
    const channel = await opened(client, "git-upload-pack 'alice/demo'");
    const ended = closed(client);
    client._protocol.exec(idOf(channel), 'ssh_info', true);
    client._protocol.shell(idOf(channel), false);
    await ended;
    assert.ok(await isServing());
  });

  it('has some channels', async () => {
    const client = await signedIn(alices.key, { port });
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => opened(client, "git-upload-pack 'alice/demo'")));
    const channels = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(channels.length, 2);
    for (const channel of channels) channel.close();
    await eventually(
      async () =>
        opened(client, 'ssh_info')
          .then(firstOf)
          .then(Boolean, () => false),
      'a free channel',
    );
    client.end();
  });

  it('gets nothing by requests that are not served', async () => {
    const client = await signedIn(alices.key, { port });
    assert.deepEqual(
      await Promise.all([
        isRefused((done) => client.sftp(done)),
        isRefused((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', port, done)),
        isRefused((done) => client.forwardIn('127.0.0.1', 0, done)),
        isRefused((done) => client.openssh_forwardOutStreamLocal('/var/run/docker.sock', done)),
        isRefused((done) => client.openssh_forwardInStreamLocal('/tmp/x', done)),
        isRefused((done) => client.subsys('no-such-system', done)),
      ]),
      [true, true, true, true, true, true],
    );
    client.end();
  });

  it('may repeat requests that are not served', async () => {
    const client = await signedIn(alices.key, { port });
    const channel = await opened(client, "git-upload-pack 'alice/demo'");
    for (let times = 0; times < 1000; times++) client._protocol.signal(idOf(channel), 'KILL');
    assert.match(await firstOf(channel), /^[0-9a-f]{4}/);
    client.end();
  });

  it('sets no variable by an environment of any size', async () => {
    const client = await signedIn(alices.key, { port });
    const env = { GIT_PROTOCOL: 'version=2'.padEnd(30_000, ':x'), LD_PRELOAD: '/tmp/x' };
    const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) => {
      client.exec("git-upload-pack 'alice/demo'", { env }, (error, made) => (error ? reject(error) : resolve(made)));
    });
    const first = firstOf(channel);
    for (let times = 0; times < 200; times++) client._protocol.env(idOf(channel), `GIT_TRACE_${times}`, 'x'.repeat(30_000), false);
    assert.match(await first, /^[0-9a-f]{4}/);
    client.end();
    assert.ok(await isServing());
  });

  it('makes no command of odd texts', async () => {
    const client = await signedIn(alices.key, { port });
    for (const command of [
      "git-upload-pack 'alice/demo'; id",
      "git-upload-pack '$(id)/demo'",
      "git-upload-pack --upload-pack=id 'alice/demo'",
      "git-upload-pack 'alice/../../etc'",
      "git-upload-pack '-c/demo'",
      "git-upload-pack 'alice/demo\nid'",
      "git-upload-pack 'alice/demo\0'",
      'git-shell -c id',
      'sh -c id',
      '`id`',
      '\u202egit',
      'x'.repeat(20_000),
      "'".repeat(16_000),
    ]) {
      const { code, said } = await runOn(client, command);
      assert.deepEqual([code, /uid=|Internal/.test(said)], [1, false], command.slice(0, 60));
    }
    client.end();
  });

  it('is not read from while it does not read', async () => {
    const { settings } = services;
    const findKey = async (fingerprint: string) => {
      const { id, content } = (await findOfferedKey(services, fingerprint)) ?? assert.fail('the key is known');
      return { identity: `key-${id}`, content };
    };
    const hostKeys = (await openHostKeys(settings.ssh.hostKeys)).map(({ privateKey }) => privateKey);
    const server = speakSsh({ settings, findKey, serve: async () => 0, failed: assert.fail }, hostKeys, 'test');
    const [near, far] = slowPair();
    const socket = Object.assign(far, { remoteAddress: '127.0.0.1', remotePort: 1, bytesRead: 0, bytesWritten: 0 });
    const served = server.accept(socket as unknown as Socket, '127.0.0.1');
    const client = await signedIn(alices.key, { sock: near });
    near.pause();
    for (let times = 0; times < 5000; times++) client._protocol.ping();
    await eventually(async () => far.isPaused(), 'the back pressure');
    assert.ok(far.writableLength < 200_000, `${far.writableLength} bytes wait`);
    served.close();
    await served.ended;
  });
});
