import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib';
import { acceptedEncoding } from '../../src/http/accepted-encoding.ts';
import { ICON_NAMES } from '../../src/web/assets/icon-names.ts';
import { languageOf } from '../../src/web/languages/languages.ts';
import { testServer } from '../support/server.ts';

// On SQLite alone: the database has no part in this.

const t = await testServer();
const get = (path: string, headers: Record<string, string> = {}) => fetch(new URL(path, t.url), { headers });
const page = await (await get('/')).text();
const folder = /\/assets\/\w+\//.exec(page)?.[0] ?? '';

/** The bytes of a response as they are sent. */
async function bytesOf(path: string, encoding: string): Promise<Buffer> {
  const request = http.get(new URL(path, t.url), { headers: { 'accept-encoding': encoding } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  assert.equal(response.headers['content-encoding'], encoding);
  return buffer(response);
}

describe('the files that pages load', () => {
  it('never change at their URL, and are nothing else than they say', async () => {
    for (const [name, type] of [
      ['style.css', 'text/css; charset=utf-8'],
      ['app.js', 'text/javascript; charset=utf-8'],
      ['keys.js', 'text/javascript; charset=utf-8'],
      ['icons.svg', 'image/svg+xml'],
    ] as const) {
      const { status, headers } = await get(folder + name);
      assert.deepEqual([status, headers.get('content-type'), headers.get('x-content-type-options')], [200, type, 'nosniff'], name);
      assert.match(headers.get('cache-control') ?? '', /immutable/);
    }
    for (const path of [`${folder}none.js`, '/assets/0123456789abcdef/style.css', `${folder}..%2fassets.ts`]) {
      assert.equal((await get(path)).status, 404, path);
    }
  });

  it('come compressed', async () => {
    const plain = Buffer.from(await (await get(`${folder}style.css`, { 'accept-encoding': 'identity' })).arrayBuffer());
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['zstd', zstdDecompressSync],
    ] as const) {
      const raw = await bytesOf(`${folder}style.css`, encoding);
      assert.ok(raw.length < plain.length / 2);
      assert.deepEqual(decompress(raw), plain);
    }
  });

  it('have the theme of high contrast where the system asks for it', async () => {
    const style = await (await get(`${folder}style.css`)).text();
    const tokensAfter = (selector: string) => {
      const rest = style.slice(style.indexOf(selector) + selector.length);
      return rest.slice(0, rest.indexOf('}')).match(/--[\w-]+:[^;]+/g);
    };
    const chosen = tokensAfter(':root[data-theme="contrast"]');
    assert.ok(chosen && chosen.length > 5);
    assert.deepEqual(tokensAfter('@media (prefers-contrast: more)'), chosen);
  });

  it('have every icon', () => {
    const sprite = readFileSync(join(import.meta.dirname, '../../src/web/assets/icons.svg'), 'utf8');
    const drawn = [...sprite.matchAll(/<symbol id="([^"]*)"/g)].map(([, name]) => name);
    assert.deepEqual(drawn, [...ICON_NAMES], 'npm run import:icons writes the sprite');
  });
});

describe('what a browser asks for', () => {
  it('is an encoding that both know', () => {
    assert.equal(acceptedEncoding('gzip, deflate, br, zstd', ['zstd', 'br', 'gzip']), 'zstd');
    assert.equal(acceptedEncoding('GZIP;q=0.5, zstd;q=0', ['zstd', 'br', 'gzip']), 'gzip');
    assert.equal(acceptedEncoding('identity', ['zstd', 'br', 'gzip']), undefined);
    assert.equal(acceptedEncoding(undefined, ['br']), undefined);
  });

  it('is a language, unless the account has chosen one', () => {
    assert.equal(languageOf('', 'fr, de-AT;q=0.8, en;q=0.7'), 'de');
    assert.equal(languageOf('en-US', 'de'), 'en');
    assert.equal(languageOf('', 'de;q=0, *'), 'en');
    assert.equal(languageOf('xx', undefined), 'en');
  });

  it('changes the page', async () => {
    assert.match(await (await get('/nothing/here', { accept: 'text/html', 'accept-language': 'de' })).text(), /<h1>Nicht gefunden<\/h1>/);
  });
});
