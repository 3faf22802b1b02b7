import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRange } from '../../src/http/byte-range.ts';
import { contentDisposition } from '../../src/http/content-disposition.ts';
import { servableType } from '../../src/http/media-type.ts';
import type { RequestParts } from '../../src/http/route.ts';
import { serveBytes } from '../../src/http/serve-bytes.ts';
import type { LinkedResponse } from '../../src/storage/storage.ts';

describe('the name of a download', () => {
  it('is quoted where it is not a token, and encoded where it is not ASCII', () => {
    for (const [name, header] of [
      ['demo-main.zip', 'attachment; filename=demo-main.zip'],
      ['folder/a b.txt', 'attachment; filename="a b.txt"'],
      ['a"b\\c', 'attachment; filename="a\\"b\\\\c"'],
      ['ü.txt', "attachment; filename=_.txt; filename*=utf-8''%C3%BC.txt"],
      ['a%20b.txt', 'attachment; filename=a%20b.txt'],
      [
        "ü%23 #1 (it's)*&+.txt",
        "attachment; filename=\"_%23 #1 (it's)*&+.txt\"; filename*=utf-8''%C3%BC%2523%20#1%20%28it%27s%29%2A&+.txt",
      ],
      ['', 'attachment; filename=""'],
      ['\ud800', "attachment; filename=_; filename*=utf-8''%EF%BF%BD"],
    ]) {
      assert.equal(contentDisposition('attachment', name ?? ''), header);
    }
  });

  it('never ends its header', () => {
    for (const sign of ['\r', '\n', '\0', '\x7f', '\u2028']) {
      const header = contentDisposition('inline', `a${sign}Set-Cookie: b`);
      assert.ok(/^[ -~]*$/.test(header), JSON.stringify(header));
    }
  });
});

describe('a range', () => {
  it('is read as RFC 9110 has it; another unit and several ranges mean the whole', () => {
    for (const [header, range] of [
      [undefined, undefined],
      ['bytes=0-4', { start: 0, end: 4 }],
      ['bytes=5-', { start: 5, end: 9 }],
      ['bytes=5-99', { start: 5, end: 9 }],
      ['bytes=-3', { start: 7, end: 9 }],
      ['bytes=-99', { start: 0, end: 9 }],
      ['bytes=10-', 'unsatisfiable'],
      ['bytes=-0', 'unsatisfiable'],
      ['bytes=4-2', 'invalid'],
      ['bytes=x', 'invalid'],
      ['bytes=0-1,3-4', undefined],
      ['bytes=, 0-1 ,', { start: 0, end: 1 }],
      ['lines=0-1', undefined],
      ['bytes=-', 'invalid'],
      ['bytes=', undefined],
      [`bytes=${'9'.repeat(40)}-`, 'invalid'],
    ] as const) {
      assert.deepEqual(readRange(header, 10), range, String(header));
    }
    assert.equal(readRange('bytes=0-4', 0), undefined);
  });
});

describe('the type of somebody’s bytes', () => {
  it('is that of what browsers show, and of nothing that they run', () => {
    const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\0\0\0\0isommp42')]);
    const avif = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypavif\0\0\0\0avifmif1')]);
    for (const [bytes, type] of [
      ['', 'text/plain; charset=utf-8'],
      ['hello', 'text/plain; charset=utf-8'],
      ['<html><script>', 'text/plain; charset=utf-8'],
      ['<?xml version="1.0"?><x/>', 'text/plain; charset=utf-8'],
      ['<?xml version="1.0"?>\n<!-- x -->\n<svg>', 'image/svg+xml'],
      ['<!-- <svg> --><p>', 'text/plain; charset=utf-8'],
      ['%PDF-1.7', 'application/pdf'],
      ['GIF89a', 'image/gif'],
      ['ID3 is a text', 'text/plain; charset=utf-8'],
      [Buffer.from('ID3\x04\0\0\0\0'), 'audio/mpeg'],
      [Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
      [Buffer.from('ffd8ffe0', 'hex'), 'image/jpeg'],
      [Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
      [Buffer.from('RIFF\0\0\0\0WAVEfmt '), 'audio/wave'],
      [Buffer.from('OggS\0\0\0'), 'audio/ogg'],
      [mp4, 'video/mp4'],
      // Shorter than its first box says.
      [mp4.subarray(0, 20), 'application/octet-stream'],
      [Buffer.from('%!PS-Adobe-3.0\n'), 'application/octet-stream'],
      [avif, 'image/avif'],
      [Buffer.from([0, 1, 2]), 'application/octet-stream'],
      [Buffer.from('caf\xe9', 'latin1'), 'text/plain; charset=iso-8859-1'],
      [Buffer.from('\xff\xfea\0', 'latin1'), 'text/plain; charset=utf-16le'],
      [Buffer.concat([Buffer.alloc(1023, 'a'), Buffer.from('ü')]), 'text/plain; charset=utf-8'],
    ] as const) {
      assert.equal(servableType(Buffer.from(bytes)), type, String(bytes));
    }
  });
});

describe('a link to the storage', () => {
  it('shows nothing that a browser could run, as no policy forbids it there', async () => {
    const linked = async (type: string, disposition?: string) => {
      let said: LinkedResponse | undefined;
      const link = async (response: LinkedResponse) => {
        said = response;
        return 'https://storage.example/file';
      };
      const headers: Record<string, string> = disposition === undefined ? {} : { 'content-disposition': disposition };
      const request = { method: 'GET', headers: {} } as unknown as RequestParts;
      assert.equal((await serveBytes(request, { size: 1, type, headers, open: () => Buffer.alloc(1), link })).status, 307);
      return said?.contentDisposition;
    };
    for (const type of ['text/html', 'text/html; charset=utf-8', 'image/svg+xml', 'application/xhtml+xml', 'text/plainer'])
      assert.equal(await linked(type, 'inline; filename=a.b'), 'attachment; filename=a.b', type);
    assert.equal(await linked('application/octet-stream'), 'attachment');
    for (const type of ['text/plain; charset=utf-8', 'image/png', 'application/pdf', 'video/mp4'])
      assert.equal(await linked(type, 'inline; filename=a.b'), 'inline; filename=a.b', type);
  });
});
