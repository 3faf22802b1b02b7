import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseFragment } from 'parse5';
import { escapePath, escapeQuery } from '../../src/code/escape-path.ts';
import { readRange } from '../../src/http/byte-range.ts';
import { contentDisposition } from '../../src/http/content-disposition.ts';
import { pageHeaders, readPage } from '../../src/http/paging.ts';
import { escapeHtml } from '../../src/text/escape-html.ts';
import { anyText, holds, textOf } from '../support/property.ts';

/** The pages that a `Link` header leads to. */
function linksIn(header: string | undefined): Record<string, number> {
  const links = [...(header ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, url = '', rel = '']) => [rel, Number(new URL(url).searchParams.get('page'))]));
}

describe('pages', () => {
  it('have everything once, forwards and backwards', () => {
    const property = fc.property(
      fc.nat(500),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom('next', 'prev'),
      (total, limit, direction) => {
        const url = 'https://example.com/api?x=1';
        const linksOf = (page: number) => linksIn(pageHeaders(total, { link: { url, page, limit } }).link);
        const seen: number[] = [];
        let page: number | undefined = direction === 'next' ? 1 : Math.max(1, Math.ceil(total / limit));
        while (page !== undefined) {
          const { offset } = readPage({ page, limit }, { defaultSize: 30, maxSize: 50 });
          const end = Math.min(offset + limit, total);
          seen.push(...Array.from({ length: Math.max(0, end - offset) }, (_, index) => offset + index));
          page = linksOf(page)[direction];
        }
        assert.deepEqual(
          seen.toSorted((a, b) => a - b),
          Array.from({ length: total }, (_, index) => index),
        );
      },
    );
    holds(property, 200);
  });

  it('are within the bounds, whatever is sent', () => {
    const sent = fc.option(fc.oneof(fc.maxSafeInteger(), fc.constant(Number.NaN)), { nil: undefined });
    const property = fc.property(sent, sent, (page, limit) => {
      const read = readPage({ page, limit }, { defaultSize: 30, maxSize: 50 });
      assert.ok(read.limit >= 1 && read.limit <= 50 && read.page >= 1 && Number.isSafeInteger(read.offset) && read.offset >= 0);
    });
    holds(property);
  });
});

describe('ranges of bytes', () => {
  it('are those of the body that the header names', () => {
    const bound = fc.option(fc.nat(30), { nil: undefined });
    const property = fc.property(bound, bound, fc.nat(20), (first, last, size) => {
      const body = Array.from({ length: size }, (_, index) => index);
      const range = readRange(`bytes=${first ?? ''}-${last ?? ''}`, size);
      const isNone = (first === undefined && last === undefined) || (first !== undefined && last !== undefined && last < first);
      if (size === 0) assert.equal(range, undefined);
      else if (isNone) assert.equal(range, 'invalid');
      else {
        // RFC 9110, 14.1.2: without a first position the last bytes are meant.
        const meant = first === undefined ? body.slice(Math.max(0, size - (last ?? 0))) : body.slice(first, (last ?? size) + 1);
        if (meant.length === 0) assert.equal(range, 'unsatisfiable');
        else assert.deepEqual(range, { start: meant[0], end: meant.at(-1) });
      }
    });
    holds(property, 2000);
  });
});

describe('names of files in a header', () => {
  it('end no header, and are read as they were', () => {
    const name = fc
      .oneof(anyText, textOf(['a', '"', '\\', '\r\n', ';', '=', '%41', "'", 'é', '😀', ' ', '\0']))
      .filter((text) => !text.includes('/'));
    const property = fc.property(name, (text) => {
      const header = contentDisposition('attachment', text);
      assert.match(header, /^attachment(; [ -~]*)?$/);
      // RFC 6266, 4.3: the extended form, where it is there, else the token or the quoted string.
      const [, extended] = /; filename\*=utf-8''([^;]*)$/i.exec(header) ?? [];
      const [, quoted] = /; filename="((?:[^"\\]|\\.)*)"/.exec(header) ?? [];
      const [, token] = /; filename=([^";]*)/.exec(header) ?? [];
      const read = extended !== undefined ? decodeURIComponent(extended) : (quoted?.replace(/\\(.)/g, '$1') ?? token);
      assert.equal(read, text);
    });
    holds(property, 1000);
  });
});

describe('texts in other texts', () => {
  it('of HTML are the same when they are parsed', () => {
    // A parser of HTML makes something else of these, however they are written.
    const text = anyText.map((any) => any.replace(/[\0\r]/g, ''));
    const property = fc.property(fc.oneof(text, textOf(['<', '>', '&', '&amp;', '"', "'", '&lt', '<!--', 'a'])), (any) => {
      fc.pre(any !== '');
      const nodes = parseFragment(`<p title="${escapeHtml(any)}">${escapeHtml(any)}</p>`).childNodes;
      assert.deepEqual(
        nodes.map((node) => 'attrs' in node && [node.attrs[0]?.value, node.childNodes.map((child) => 'value' in child && child.value)]),
        [[any, [any]]],
      );
    });
    holds(property);
  });

  it('of URLs are the same when they are decoded', () => {
    const property = fc.property(anyText, (any) => {
      assert.equal(decodeURIComponent(escapePath(any)), any);
      const url = new URL(`https://example.com/x?q=${escapeQuery(any)}`);
      assert.deepEqual([...url.searchParams], [['q', any]]);
    });
    holds(property);
  });
});
