import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { request } from 'undici';

/** What browsers accept of a site with TLS. */
export const BROWSER_ENCODINGS = 'gzip, deflate, br, zstd';

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };

/** Bytes of bodies, as they are sent to a browser: those of a first visit, and those of the page alone. */
export async function transferred(page: URL, cookie: string): Promise<{ first: number; further: number }> {
  const { bytes: further, text } = await load(page, cookie);
  const seen = new Set([page.href]);
  let first = further;
  const waiting = [...text.matchAll(/<(?:script|link|img|use)\b[^>]*?\s(?:src|href)="([^"#]+)/g)]
    .filter(([tag]) => !/rel="(?:alternate|search|canonical)"/.test(tag))
    .map(([, address = '']) => new URL(address.replaceAll('&amp;', '&'), page));
  for (let address = waiting.pop(); address; address = waiting.pop()) {
    if (seen.has(address.href) || address.origin !== page.origin) continue;
    seen.add(address.href);
    const { bytes, text } = await load(address, cookie);
    first += bytes;
    // What is imported at once; `import()` waits until it is wanted.
    if (address.pathname.endsWith('.js'))
      for (const [, name = ''] of text.matchAll(/\bfrom\s*'(\.[^']+)'/g)) waiting.push(new URL(name, address));
  }
  return { first, further };
}

async function load(address: URL, cookie: string): Promise<{ bytes: number; text: string }> {
  const { body, headers, statusCode } = await request(address, {
    headers: { cookie, accept: '*/*', 'accept-encoding': BROWSER_ENCODINGS },
  });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode >= 400) throw new Error(`${address.pathname} answered ${statusCode}`);
  const decode = DECODERS[String(headers['content-encoding']) as keyof typeof DECODERS];
  const text = decode ? decode(bytes) : bytes;
  return { bytes: bytes.length, text: text.toString('utf8') };
}
