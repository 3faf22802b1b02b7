// On SQLite alone: the runner knows nothing of the database.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startLocalRunner } from '../../src/cli/local-runner.ts';
import { createLogger } from '../../src/log.ts';
import { afterwards } from '../support/afterwards.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';
import { commandLine, startTestRunner, WorkflowRepository } from './copse-runner.ts';

const isRoot = process.getuid?.() === 0;
// Its user has to be able to enter it, unlike the folder of the server.
const runnerDir = await mkdtemp(join(tmpdir(), 'copse-runner-'));
afterwards(() => rm(runnerDir, { recursive: true, force: true }));
const user = isRoot ? 'nobody' : userInfo().username;
const t = await testServer({ actions: { runner: 'host', runnerLabels: 'local:host', runnerUser: isRoot ? user : null, runnerDir } });
const alice = await t.user('alice');
const demo = await WorkflowRepository.make(t, alice, 'alice', 'demo');
const job = (label: string, script: string) => `jobs:\n  a:\n    runs-on: ${label}\n    steps:\n      - run: ${script}\n`;
const states = async () => (await t.admin.must('GET', '/admin/actions/runners')).runners as { name: string; labels: { name: string }[] }[];

describe('copse runner', { concurrency: true }, () => {
  it('explains itself, and refuses what it cannot use', async () => {
    assert.match((await commandLine('runner', '--help')).output, /Jobs run on this machine itself.*everybody who may push/);
    for (const [args, code, problem] of [
      [['register'], 2, /--url is missing/],
      [['register', '--url', t.url], 2, /--token is missing/],
      [['register', '--url', t.url, '--token', 'x', '--dir', join(t.folder, 'no')], 1, /registration token not found/],
      [['register', '--url', 'file:///x', '--token', 'x', '--dir', join(t.folder, 'no')], 1, /url: an http or https URL/],
      [
        ['register', '--url', t.url, '--token', 'x', '--labels', 'a:b', '--dir', join(t.folder, 'no')],
        1,
        /labels: a has to be followed by :host/,
      ],
      [['--dir', join(t.folder, 'no')], 1, /has no runner: register one/],
      [['--capacity', '0'], 2, /--capacity has to be a whole number from 1 to 100/],
      [['other'], 2, /no such command: other/],
    ] as const) {
      const result = await commandLine('runner', ...args);
      assert.equal(result.code, code, result.output);
      assert.match(result.output, problem);
    }
  });

  it('keeps its credentials to itself, is alone in its folder, and does not run jobs as root unasked', async () => {
    const { folder, stop } = await startTestRunner(t, { name: 'private', args: ['--labels', 'private:host'] });
    assert.deepEqual([(await stat(folder)).mode & 0o777, (await stat(join(folder, 'runner.json'))).mode & 0o777], [0o700, 0o600]);
    await eventually(
      () =>
        stat(join(folder, 'jobs')).then(
          () => true,
          () => false,
        ),
      'its start',
    );
    if (isRoot) assert.match((await commandLine('runner', '--dir', folder)).output, /would run as root: name another user with --user/);
    const second = await commandLine('runner', '--dir', folder, '--allow-root');
    assert.match(second.output, /another runner works in/);
    await stop();
  });

  it('takes one job as an ephemeral runner, and is deleted then', async () => {
    const { ended, folder } = await startTestRunner(t, { name: 'once', args: ['--ephemeral', '--labels', 'once:host'] });
    const { a } = await demo.run(job('once', 'echo once'));
    await ended;
    assert.equal(a?.state, 'success');
    await assert.rejects(stat(join(folder, 'runner.json')));
    assert.ok(!(await states()).some(({ name }) => name === 'once'));
  });

  it('reports its jobs as failed when it is stopped', async () => {
    const { stop } = await startTestRunner(t, { name: 'stopped', args: ['--labels', 'stopped:host'] });
    const run = await demo.start(job('stopped', 'echo started; exec sleep 4567'));
    await demo.line(run, 'a', /^started$/m);
    await stop();
    const { a } = await demo.end(run);
    assert.equal(a?.state, 'failure');
    assert.match(a?.log ?? '', /::error::The runner was stopped/);
  });

  it('finishes its job when the server is unavailable for a while, and reports it then', async () => {
    const proxy = await lossyProxy();
    const { stop } = await startTestRunner(t, { name: 'lost', url: proxy.url, args: ['--labels', 'lost:host'] });
    const flag = join(t.folder, 'flag');
    const run = await demo.start(
      job('lost', `|\n          echo started; while ! test -e ${flag}; do sleep 0.05; done; echo "and done" | tee ${flag}-2`),
    );
    await demo.line(run, 'a', /^started$/m);
    proxy.isDown = true;
    await eventually(() => proxy.lost > 0, 'a lost report');
    await writeFile(flag, '');
    await eventually(
      () =>
        readFile(`${flag}-2`).then(
          () => true,
          () => false,
        ),
      'the end of the job',
    );
    proxy.isDown = false;
    const { a } = await demo.end(run);
    assert.equal(a?.state, 'success');
    assert.match(a?.log ?? '', /^started\nand done$/m);
    await stop();
  });

  it('starts with the server where the settings say so, and ends with it', async () => {
    const local = startLocalRunner(t.server, createLogger({ ...t.context.settings.log, level: 'silent' }));
    afterwards(() => local.close());
    const { a } = await demo.run(job('local', 'echo "as $(id -un)"'));
    assert.equal(a?.state, 'success', String(a?.log));
    assert.match(a?.log ?? '', new RegExp(`^as ${user}$`, 'm'));
    const { labels = [] } = (await states()).find(({ name }) => name.endsWith('(local)')) ?? {};
    assert.deepEqual(
      labels.map(({ name }) => name),
      ['local'],
    );
    await local.close();
  });
});

/** A way to the server that can be broken. */
async function lossyProxy() {
  const state = { isDown: false, lost: 0, url: '' };
  const server = createServer((incoming, response) => {
    if (state.isDown) {
      state.lost++;
      incoming.destroy();
      return;
    }
    const { method, headers } = incoming;
    const outgoing = request(new URL(incoming.url ?? '', t.url), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterwards(() => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}
