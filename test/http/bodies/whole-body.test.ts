import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { readWholeBody } from '../../../src/http/bodies/whole-body.ts';

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const { port } = server.address() as AddressInfo;

/** A request whose client sends these parts and then goes, or waits for the response. */
async function received(length: number, parts: readonly string[], goes = false): Promise<IncomingMessage> {
  const arriving = once(server, 'request');
  const socket = connect(port, '127.0.0.1');
  socket.write(`PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${parts.join('')}`);
  const [request, response] = await arriving;
  if (goes) socket.destroy();
  else socket.resume();
  request.once('end', () => response.end());
  return request;
}

describe('a whole body', () => {
  it('is read to its end', async () => {
    assert.equal((await readWholeBody(await received(6, ['abc', 'def']), 6))?.toString(), 'abcdef');
    assert.equal((await readWholeBody(await received(0, []), 6))?.length, 0);
  });

  it('is not read beyond its limit, and the request stays', async () => {
    const request = await received(7, ['abcdefg']);
    assert.equal(await readWholeBody(request, 6), undefined);
    assert.equal(request.destroyed, false);
    request.resume();
    await once(request, 'end');
  });

  it('is read once', async () => {
    const request = await received(3, ['abc']);
    await readWholeBody(request, 3);
    assert.equal((await readWholeBody(request, 3))?.length, 0);
    const long = 'x'.repeat(2 ** 20 + 1);
    const large = await received(long.length, [long]);
    assert.equal((await readWholeBody(large, 2 ** 21))?.toString(), long);
    assert.equal((await readWholeBody(large, 2 ** 21))?.length, 0);
  });

  it('fails when the client goes', async () => {
    await assert.rejects(readWholeBody(await received(6, ['abc'], true), 6));
  });
});
