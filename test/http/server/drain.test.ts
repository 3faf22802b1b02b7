import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { it } from 'node:test';
import { testServer } from '../../support/server.ts';

// On SQLite alone: what this asks of the database is plain, or asked of both by others.

const t = await testServer({ server: { drainTimeout: 30_000 } });

it('a server that stops sends one more response on open connections, and closes them', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { url } = t;
  const ask = async () => {
    const sent = request(`${url}api/v1/version`, { agent }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return [response.statusCode, response.headers.connection, sent.reusedSocket];
  };
  assert.deepEqual(await ask(), [200, 'keep-alive', false]);
  const stopped = t.restart();
  assert.deepEqual(await ask(), [200, 'close', true]);
  // It has waited for nobody else.
  await stopped;
});
