// On SQLite alone: it is about signals.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterwards } from '../support/afterwards.ts';
import { freePorts } from '../support/free-ports.ts';
import { environmentOf, ServerProcess } from '../support/server-process.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-sigterm-start-'));
afterwards(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

it('SIGTERM with the first response of the very first start is a clean stop', { timeout: 240_000 }, async () => {
  const [port = 0, ssh = 0] = await freePorts(2);
  // The host keys of SSH are made between the first response and the end of the start.
  const server = new ServerProcess(environmentOf(join(folder, 'data'), { COPSE_PORT: String(port), COPSE_SSH_PORT: String(ssh) }));
  afterwards(() => server.child.kill('SIGKILL'));
  const responded = async () => {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/version`).catch(() => undefined);
      if (response) return response.status;
      await sleep(5);
    }
  };
  assert.equal(await responded(), 200);
  server.child.kill('SIGTERM');
  assert.equal(await server.ended, 0, server.said);
  assert.match(server.said, /"msg":"stopping"/);
});
