// On SQLite alone: the tracing of statements is the same on both databases.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string; readonly intValue?: number } }[];
}

/** What the collector got. */
const spans: Span[] = [];
let authorization: string | undefined;
let texts = '';

const collector = createServer(async (request: IncomingMessage, response) => {
  const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  authorization = request.headers.authorization;
  texts += text;
  for (const { scopeSpans } of JSON.parse(text).resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
after(() => collector.close());

const attribute = (span: Span, name: string) => span.attributes.find(({ key }) => key === name)?.value;
const below = (span: Span) => spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
const requestTo = (route: string) => spans.find(({ name }) => name === route);

const t = await testServer({
  tracing: {
    endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
    headers: 'Authorization=Bearer collector-secret',
    sampled: 100,
  },
});
const alice = await t.user('alice');

describe('traces', () => {
  it('show what a request does: its statements, its transaction, its git processes; and no secrets', async () => {
    await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true });
    await alice.send('GET', '/repos/alice/forge/commits?token=a-secret-token');
    await t.settled();
    // The last spans are sent when the server ends.
    await t.restart();
    await eventually(() => requestTo('GET /api/v1/repos/:owner/:repo/commits') !== undefined);
    const creation = requestTo('POST /api/v1/user/repos');
    assert.ok(creation);
    assert.equal(Number(attribute(creation, 'http.response.status_code')?.intValue), 201);
    const transaction = below(creation).find(({ name }) => name === 'transaction');
    assert.ok(transaction, 'no transaction');
    const statements = below(transaction).map((span) => attribute(span, 'db.query.text')?.stringValue ?? '');
    assert.ok(
      statements.some((text) => text.startsWith('insert into "repositories"')),
      statements.join('\n'),
    );
    assert.ok(
      spans.some(({ name }) => name.startsWith('git ')),
      'no git process',
    );
    assert.ok(
      spans.some(({ name, parentSpanId }) => name.startsWith('event ') && !parentSpanId),
      'no event with a trace of its own',
    );
    assert.equal(authorization, 'Bearer collector-secret');
    for (const secret of ['a-secret-token', 'Test-Passw0rd', 'collector-secret']) assert.ok(!texts.includes(secret), secret);
  });

  it('go on with the trace that a trusted proxy has named', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await alice.send('GET', '/version', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    await t.restart();
    await eventually(() => requestTo('GET /api/v1/version') !== undefined);
    const span = requestTo('GET /api/v1/version');
    assert.deepEqual([span?.traceId, span?.parentSpanId], [traceId, 'b7ad6b7169203331']);
  });

  it('cost no request anything when the collector is unavailable', async () => {
    collector.closeAllConnections();
    collector.close();
    assert.equal((await alice.send('GET', '/user')).status, 200);
    const began = performance.now();
    await t.restart();
    assert.ok(performance.now() - began < 10_000);
    assert.equal((await alice.send('GET', '/user')).status, 200);
  });
});
