import assert from 'node:assert/strict';
import { it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { HttpResponse } from '../../src/http/responses.ts';
import { compressed } from '../../src/web/compression.ts';

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

it('a very long page is compressed in parts that split no character', async () => {
  // One of the texts has the second half of a character at each boundary.
  for (const before of ['', 'x'])
    for (const [encoding, decode] of Object.entries(DECODERS)) {
      const page = `${before}${'😀'.repeat(700_000)}`;
      const sent = await compressed(
        new HttpResponse(page, { raw: true, headers: { 'content-type': 'text/html; charset=utf-8' } }),
        encoding,
      );
      const parts = await Array.fromAsync(sent.body as AsyncIterable<Buffer>);
      assert.ok(parts.length > 1);
      assert.ok(decode(Buffer.concat(parts)).toString() === page, encoding);
    }
});
