import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { isAllowed } from '../../../src/http/outgoing/allowed-hosts.ts';
import { addressKind } from '../../../src/http/outgoing/ip-address-kind.ts';
import { fetchOutgoing, ResponseTooLargeError } from '../../../src/http/outgoing/outgoing.ts';
import { testSettings } from '../../support/settings.ts';

const settingsWith = (outgoing: object) => testSettings({ outgoing: { ...testSettings().outgoing, ...outgoing } });
const local = settingsWith({ allowedHosts: ['loopback'] });
const external = testSettings();

const seen: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('ok');
const server = createServer((request, response) => {
  seen.push(request);
  answer(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
after(() => server.close());

describe('addresses', () => {
  const kinds = {
    loopback: [
      '127.0.0.1',
      '127.9.9.9',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
    ],
    private: [
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '2002:c0a8:101::1',
      '2001:0:1:2:3:4:3f57:fefe',
      'fe80::5efe:10.0.0.1',
    ],
    reserved: [
      '0.0.0.0',
      '0.1.2.3',
      '100.64.0.1',
      '100.127.255.255',
      '169.254.169.254',
      '192.0.0.8',
      '198.18.0.1',
      '198.19.255.255',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      '2001:db8::1',
      '64:ff9b:1::1',
      '100::1',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::',
      'fe80::1%eth0',
      '4000::1',
      'nonsense',
    ],
    external: [
      '8.8.8.8',
      '1.1.1.1',
      '172.32.0.1',
      '100.128.0.1',
      '198.20.0.1',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
      '2002:808:808::',
    ],
  };
  for (const [kind, addresses] of Object.entries(kinds)) {
    it(`are ${kind}`, () => {
      for (const address of addresses) assert.equal(addressKind(address), kind, address);
    });
  }

  it('are allowed by kind, IP address, network or name, and blocked before that', () => {
    const rules = (allowedHosts: string[], blockedHosts: string[] = []) => ({ allowedHosts, blockedHosts });
    assert.ok(isAllowed(rules(['external']), 'example.com', '8.8.8.8'));
    assert.ok(!isAllowed(rules(['external']), 'example.com', '10.0.0.1'));
    assert.ok(!isAllowed(rules(['external', 'private', 'loopback']), 'example.com', '169.254.169.254'));
    assert.ok(isAllowed(rules(['10.0.0.0/8']), 'intern', '10.9.9.9'));
    assert.ok(isAllowed(rules(['10.0.0.0/8']), 'intern', '::ffff:10.9.9.9'));
    assert.ok(isAllowed(rules(['*.example.com']), 'Git.Example.com.', '10.0.0.1'));
    assert.ok(!isAllowed(rules(['*.example.com']), 'example.org', '8.8.8.8'));
    assert.ok(!isAllowed(rules(['*'], ['10.0.0.0/8']), 'x', '10.0.0.1'));
    assert.ok(!isAllowed(rules(['*'], ['evil.example']), 'evil.example', '8.8.8.8'));
    assert.ok(!isAllowed(rules(['*'], ['private']), 'x', '192.168.0.1'));
  });
});

describe('outgoing requests', () => {
  const refused = (settings: Parameters<typeof fetchOutgoing>[0], url: string) =>
    assert.rejects(fetchOutgoing(settings, url), (error: Error) => {
      assert.match(`${error.name} ${(error.cause as Error | undefined)?.name}`, /HostNotAllowedError/, url);
      return true;
    });

  it('reach no forbidden IP address, however it is written', async () => {
    seen.length = 0;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '127.1',
      '0.0.0.0',
      '[::]',
      'localhost.',
    ]) {
      await refused(external, `http://${host}:${port}/`);
    }
    for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'gopher://127.0.0.1/']) await refused(local, url);
    assert.equal(seen.length, 0);
  });

  it('follow redirects, but not to a forbidden IP address', async () => {
    const onlyByName = settingsWith({ allowedHosts: ['127.0.0.1'] });
    answer = (request, response) =>
      response
        .writeHead(302, { location: request.url === '/out' ? `http://localhost.localdomain.invalid:${port}/` : `http://[::1]:${port}/` })
        .end();
    await refused(onlyByName, `http://127.0.0.1:${port}/`);
    answer = (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    await refused(local, `http://127.0.0.1:${port}/`);
    answer = (request, response) =>
      request.url === '/' ? response.writeHead(302, { location: '/there' }).end() : response.end(request.url);
    assert.equal((await fetchOutgoing(local, `http://localhost:${port}/`)).body.toString(), '/there');
    answer = (_, response) => response.writeHead(302, { location: '/' }).end();
    await assert.rejects(fetchOutgoing(local, `http://127.0.0.1:${port}/`), /more than 5 redirects/);
    assert.equal((await fetchOutgoing(local, `http://127.0.0.1:${port}/`, { maxRedirects: 0 })).status, 302);
  });

  it('take secrets to no other server', async () => {
    seen.length = 0;
    answer = (request, response) =>
      request.url === '/' ? response.writeHead(302, { location: `http://localhost:${port}/there` }).end() : response.end();
    await fetchOutgoing(local, `http://127.0.0.1:${port}/`, { headers: { Authorization: 'secret', 'X-Other': 'kept' } });
    assert.deepEqual(
      seen.map(({ headers }) => [headers.authorization, headers['x-other']]),
      [
        ['secret', 'kept'],
        [undefined, 'kept'],
      ],
    );
  });

  it('read no more and wait no longer than they may', async () => {
    answer = (_, response) => response.end(Buffer.alloc(5000));
    await assert.rejects(fetchOutgoing(local, `http://127.0.0.1:${port}/`, { maxResponse: 4999 }), ResponseTooLargeError);
    assert.equal((await fetchOutgoing(local, `http://127.0.0.1:${port}/`, { maxResponse: 5000 })).body.length, 5000);
    // Of a length that is not declared.
    answer = (_, response) => response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(Buffer.alloc(5000));
    await assert.rejects(fetchOutgoing(local, `http://127.0.0.1:${port}/`, { maxResponse: 4999 }), ResponseTooLargeError);
    answer = (_, response) => response.writeHead(200, { 'content-length': 5000 }).write('x');
    await assert.rejects(fetchOutgoing(local, `http://127.0.0.1:${port}/`, { maxResponse: 4999 }), ResponseTooLargeError);
    answer = () => {};
    await assert.rejects(fetchOutgoing(local, `http://127.0.0.1:${port}/`, { timeout: 100 }), { name: 'TimeoutError' });
    server.closeAllConnections();
  });
});
