import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { TLSSocket } from 'node:tls';
import { type DirectWriting, giveAway, noteRequest, writeDirectly } from '../../../src/http/server/direct-body.ts';
import { eventually } from '../../support/eventually.ts';

/** What a server of these tests has seen, and how the process that writes goes on; here it is the test itself. */
interface Seen {
  /** Addresses of requests that may be served, and of those that may not. */
  served: string[];
  refused: string[];
  /** Those for which it is decided how they are answered. */
  decided: string[];
  connection?: Socket;
  stopped: string[];
  end(): void;
  fail(): void;
}

const closing: (() => void)[] = [];
after(() => {
  for (const close of closing) close();
});

/** A server that gives the connection away, where it can, to `/direct`, once it is ready, and says "relayed" elsewhere. */
async function serve(ready: (seen: Seen, path: string) => boolean = () => true): Promise<{ seen: Seen; client: Socket }> {
  let end = () => {};
  let fail = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error('no process'));
  });
  ended.catch(() => {});
  const seen: Seen = { served: [], refused: [], decided: [], stopped: [], end, fail };
  const into = (connection: Socket): DirectWriting => {
    seen.connection = connection;
    return { ended, stop: (why) => void seen.stopped.push(why) };
  };
  const server = createServer(async (request, response) => {
    const mayBeServed = noteRequest(request);
    (mayBeServed ? seen.served : seen.refused).push(request.url ?? '');
    if (!mayBeServed) return;
    await eventually(() => ready(seen, request.url ?? ''));
    const connection = request.url === '/direct' ? giveAway(request, response) : undefined;
    seen.decided.push(request.url ?? '');
    response.setHeader('x-head', 'yes');
    if (connection) await writeDirectly(response, connection, into);
    else response.end('relayed');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  closing.push(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { seen, client };
}

function asking(path: string, more = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
}

describe('a body that is written into the connection', () => {
  for (const version of ['1.0', '1.1']) {
    it(`comes after the head, which has no length, and ends with the connection, in HTTP/${version}`, async () => {
      const { seen, client } = await serve();
      const answer = text(client);
      client.write(asking('/direct').replace('1.1', version));
      await eventually(() => seen.connection !== undefined);
      seen.connection?.write('the body');
      seen.end();
      const [head = '', body] = (await answer).split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(head, /^x-head: yes$/m);
      assert.match(head, /^connection: close$/im);
      assert.doesNotMatch(head, /transfer-encoding|content-length|keep-alive/i);
      assert.equal(body, 'the body');
      assert.deepEqual(
        seen.stopped.filter((why) => why !== 'the client is gone'),
        [],
      );
    });
  }

  it('is the last response: further requests of the client are not begun', async () => {
    const { seen, client } = await serve();
    const answer = text(client);
    client.write(asking('/direct'));
    await eventually(() => seen.connection !== undefined);
    client.write(asking('/second'));
    await eventually(() => seen.refused.length === 1);
    seen.connection?.write('the body');
    seen.end();
    assert.match(await answer, /\r\n\r\nthe body$/);
    assert.deepEqual([seen.served, seen.refused], [['/direct'], ['/second']]);
  });

  it('is relayed if a further request waits already, and both get a response', async () => {
    const { seen, client } = await serve(({ served }) => served.length === 2);
    client.write(asking('/direct') + asking('/other', 'Connection: close\r\n'));
    assert.equal((await text(client)).match(/\r\n\r\nrelayed/g)?.length, 2);
    assert.deepEqual([seen.connection, seen.refused], [undefined, []]);
  });

  it('is relayed while an earlier response is in progress', async () => {
    const { seen, client } = await serve(({ decided }, path) => path === '/direct' || decided.length === 1);
    client.write(asking('/other') + asking('/direct', 'Connection: close\r\n'));
    assert.equal((await text(client)).match(/\r\n\r\nrelayed/g)?.length, 2);
    assert.deepEqual([seen.connection, seen.decided], [undefined, ['/direct', '/other']]);
  });

  it('is relayed while the request has not come to its end', async () => {
    const { seen, client } = await serve();
    client.write(asking('/direct', 'Content-Length: 1\r\nConnection: close\r\n'));
    assert.match(await text(client), /\r\n\r\nrelayed$/);
    assert.equal(seen.connection, undefined);
  });

  it('is relayed over TLS', () => {
    const request = new IncomingMessage(new TLSSocket(new Socket()));
    request.complete = true;
    const response = new ServerResponse(request);
    response.assignSocket(request.socket);
    assert.equal(noteRequest(request), true);
    assert.equal(giveAway(request, response), undefined);
    assert.equal(noteRequest(request), true, 'it is not given away by asking');
  });

  it('is stopped when the client leaves', async () => {
    const { seen, client } = await serve();
    client.write(asking('/direct'));
    await once(client, 'data');
    await eventually(() => seen.connection !== undefined);
    client.destroy();
    await eventually(() => seen.stopped.length > 0);
    assert.deepEqual(seen.stopped, ['the client is gone']);
    seen.end();
  });

  it('ends the connection when there is no process to write it', async () => {
    const { seen, client } = await serve();
    const answer = text(client);
    client.write(asking('/direct'));
    await eventually(() => seen.connection !== undefined);
    seen.fail();
    assert.match(await answer, /^connection: close\r\n(.+\r\n)*\r\n$/im);
  });
});
