import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { type Html, html } from '../../src/web/html.ts';
import { pageBody } from '../../src/web/page-body.ts';

async function* parts(...all: Html[]): AsyncGenerator<Html> {
  yield* all;
}

describe('bodies of pages', () => {
  it('are whole where they are soon complete', async () => {
    assert.equal(await pageBody('<', parts(html`a`, html`b`), '>'), '<ab>');
  });

  it('come in parts where something has to be waited for', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    async function* slow() {
      yield html`a`;
      await promise;
      yield html`b`;
    }
    const body = await pageBody('<', slow(), '>');
    assert.ok(body instanceof Readable);
    const first = await body.iterator({ destroyOnReturn: false }).next();
    assert.equal(String(first.value), '<a');
    resolve();
    assert.equal(await text(body), 'b>');
  });

  it('come in parts where they are long', async () => {
    const long = html`${'x'.repeat(100_000)}`;
    const body = await pageBody('<', parts(long, long, long), '>');
    assert.ok(body instanceof Readable);
    assert.equal((await text(body)).length, 300_002);
  });

  it('throw what goes wrong before anything is sent', async () => {
    async function* failing() {
      yield html`a`;
      throw new Error('no such file');
    }
    await assert.rejects(pageBody('<', failing(), '>'), /no such file/);
  });

  it('end what they are made of when nobody reads them', async () => {
    let hasEnded = false;
    async function* endless() {
      try {
        for (;;) yield html`${'x'.repeat(1000)}`;
      } finally {
        hasEnded = true;
      }
    }
    const body = await pageBody('', endless(), '');
    assert.ok(body instanceof Readable);
    body.destroy();
    await once(body, 'close');
    await new Promise(setImmediate);
    assert.ok(hasEnded);
  });
});
