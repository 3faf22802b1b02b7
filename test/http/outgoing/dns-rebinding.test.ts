// On SQLite alone: DNS and HTTP need no database.
import assert from 'node:assert/strict';
import dns from 'node:dns/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, describe, it } from 'node:test';
import { listRemote } from '../../../src/git/remotes/list-remote.ts';
import { HostNotAllowedError } from '../../../src/http/outgoing/allowed-hosts.ts';
import { fetchOutgoing } from '../../../src/http/outgoing/outgoing.ts';
import { testSettings } from '../../support/settings.ts';
import { passOn, served, settings, tip, withUrl } from './remote-source.ts';

/** Stands for the public address of a name, and the only one that is allowed. */
const PUBLIC = '127.0.0.1';
const PRIVATE = '127.0.0.2';
const NAME = 'rebind.example';

const seen: string[] = [];
const open = createServer((request, response) => {
  seen.push(PUBLIC);
  if (request.url?.startsWith('/repository.git')) passOn(request, response);
  else response.end('public');
});
await new Promise<void>((resolve) => open.listen(0, PUBLIC, resolve));
const { port } = open.address() as AddressInfo;
const hidden = createServer((_, response) => {
  seen.push(PRIVATE);
  response.end('private');
});
await new Promise<void>((resolve) => hidden.listen(port, PRIVATE, resolve));

/** What the name is resolved to, one time after the other; the last stays. */
let records: string[][] = [];
let lookups = 0;
const { lookup } = dns;
dns.lookup = (async (host: string, options: object) => {
  if (host !== NAME) return await lookup(host, options);
  const addresses = records[Math.min(lookups++, records.length - 1)] ?? [];
  return addresses.map((address) => ({ address, family: 4 }));
}) as typeof lookup;
syncBuiltinESMExports();
after(() => {
  dns.lookup = lookup;
  syncBuiltinESMExports();
  for (const server of [open, hidden]) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  seen.length = 0;
  lookups = 0;
  records = [[PUBLIC], [PRIVATE]];
});

describe('a name that resolves to another IP address the next time', () => {
  const outgoing = testSettings({ outgoing: { ...testSettings().outgoing, allowedHosts: [PUBLIC] } });
  const remotes = {
    ...settings({ allowLocalNetworks: false, allowedHosts: [PUBLIC] }),
    outgoing: outgoing.outgoing,
  };
  const fetchName = () => fetchOutgoing(outgoing, `http://${NAME}:${port}/`, { headers: { connection: 'close' } });

  it('is resolved once for a request, and checked for each connection', async () => {
    assert.equal((await fetchName()).body.toString(), 'public');
    assert.equal(lookups, 1);
    open.closeAllConnections();
    await assert.rejects(fetchName(), (error: Error) => `${error.name} ${(error.cause as Error)?.name}`.includes('HostNotAllowedError'));
    assert.deepEqual(seen, [PUBLIC]);
  });

  it('is reached at its allowed IP addresses only', async () => {
    records = [[PRIVATE, PUBLIC]];
    assert.equal((await fetchName()).body.toString(), 'public');
    assert.deepEqual(seen, [PUBLIC]);
  });

  it('leads git nowhere else, over HTTP', async () => {
    await assert.rejects(withUrl(`http://${NAME}:${port}/repository.git`, listRemote, {}, remotes), HostNotAllowedError);
    assert.ok(lookups > 1, 'git connected more than once');
    assert.deepEqual(new Set(seen), new Set([PUBLIC]));
  });

  it('is resolved once by the tunnel of git', async () => {
    const { port } = new URL(served.git);
    const { refs } = await withUrl(`git://${NAME}:${port}${new URL(served.git).pathname}`, listRemote, {}, remotes);
    assert.equal(refs.get('refs/heads/main'), tip);
    assert.equal(lookups, 1);
    await assert.rejects(withUrl(`git://${NAME}:${port}${new URL(served.git).pathname}`, listRemote, {}, remotes), HostNotAllowedError);
    assert.deepEqual(seen, []);
  });
});
