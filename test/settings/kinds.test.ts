import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as kinds from '../../src/settings/kinds.ts';

/** Asserts what each text becomes, and that the others are refused without their value in the message. */
function check<T>(kind: kinds.Kind<T>, good: readonly [kinds.SettingInput, T][], bad: readonly kinds.SettingInput[]): void {
  for (const [input, value] of good) assert.deepEqual(kind.parse(input), value, String(input));
  for (const input of bad) {
    assert.throws(
      () => kind.parse(input),
      (error: Error) => /^(must|has|is) /.test(error.message) && (String(input).length < 8 || !error.message.includes(String(input))),
      `${JSON.stringify(input)} is refused`,
    );
  }
}

describe('kinds of settings', () => {
  it('reads booleans strictly', () => {
    check(
      kinds.boolean(),
      [
        ['true', true],
        [' false ', false],
      ],
      ['', 'yes', '1', 'TRUE', 'treu', ['true']],
    );
  });

  it('reads whole numbers within bounds', () => {
    check(
      kinds.integer(-1, 10),
      [
        ['-1', -1],
        ['10', 10],
        ['007', 7],
      ],
      ['', '11', '-2', '1.5', '1e1', '0x1', 'NaN', '99999999999999999999'],
    );
    check(
      kinds.port(),
      [
        ['0', 0],
        ['65535', 65_535],
      ],
      ['65536', '-1'],
    );
  });

  it('reads durations as milliseconds', () => {
    check(
      kinds.duration(),
      [
        ['0', 0],
        ['500ms', 500],
        ['30s', 30_000],
        ['10m', 600_000],
        ['1h30m', 5_400_000],
        ['7d', 604_800_000],
      ],
      ['', '10', '-1s', '1.5h', '10 m', '1w', 'm', '1h-30m', '99999d', '999999999999d'],
    );
    check(
      kinds.duration({ min: '1m', max: '1h' }),
      [
        ['60s', 60_000],
        ['1h', 3_600_000],
      ],
      ['59s', '61m', '0'],
    );
  });

  it('reads sizes as bytes', () => {
    check(
      kinds.size(),
      [
        ['0', 0],
        ['512', 512],
        ['1KiB', 1024],
        ['4MiB', 4 * 2 ** 20],
        ['2GiB', 2 ** 31],
        ['1TiB', 2 ** 40],
      ],
      ['', '-1', '4MB', '1.5GiB', '4 MiB', 'MiB', '999999999999999TiB'],
    );
    check(kinds.size({ min: 10, max: 20 }), [['10', 10]], ['9', '21', '1KiB']);
    check(
      kinds.sizeLimit(),
      [
        ['-1', -1],
        ['1KiB', 1024],
      ],
      ['-2', ''],
    );
  });

  it('reads choices by their exact word', () => {
    check(kinds.choice('json', 'text'), [['json', 'json']], ['', 'JSON', 'jso', 'toString']);
  });

  it('makes base addresses end with one slash', () => {
    check(
      kinds.baseUrl(),
      [
        ['https://git.example.com', 'https://git.example.com/'],
        ['http://example.com:80/sub', 'http://example.com/sub/'],
        ['http://[::1]:3000//', 'http://[::1]:3000/'],
      ],
      [
        '',
        'example.com',
        'ftp://example.com',
        'http:example.com',
        'https://user:secret@example.com/',
        'https://example.com/?a',
        'https://example.com/#a',
        'javascript:alert(1)',
      ],
    );
  });

  it('reads URLs of the schemes asked for only', () => {
    check(kinds.absoluteUrl('postgres'), [['postgres://u:p@h:1/d', 'postgres://u:p@h:1/d']], ['', 'mysql://host/name', 'postgres:name']);
  });

  it('refuses a URL of a scheme alone', () => {
    check(kinds.absoluteUrl('ws'), [['ws://a', 'ws://a']], ['ws://']);
  });

  it('reads addresses and networks', () => {
    check(
      kinds.network(),
      [
        ['10.0.0.0/8', '10.0.0.0/8'],
        ['::1/128', '::1/128'],
        ['127.0.0.1', '127.0.0.1'],
      ],
      ['', '10.0.0.0/33', '::1/129', '300.0.0.1', '10.0.0.0/8/8', 'localhost', '192.0.2.0/'],
    );
    check(
      kinds.hostPattern(),
      [
        ['Loopback', 'loopback'],
        ['*', '*'],
        ['*.Example.com', '*.example.com'],
        ['10.0.0.0/8', '10.0.0.0/8'],
        ['fd00::/8', 'fd00::/8'],
      ],
      ['', 'http://a', 'a b', '10.0.0.0/99', '-a', 'a:80'],
    );
  });

  it('reads lists, from commas and from YAML lists', () => {
    const words = kinds.list(kinds.choice('a', 'b'), { maxItems: 2 });
    check(
      words,
      [
        ['', []],
        [' a , b ,', ['a', 'b']],
        [
          ['b', 'a'],
          ['b', 'a'],
        ],
        ['a,a', ['a']],
      ],
      ['c', 'a;b', ['a', 'c'], 'a,b,c'],
    );
    assert.ok(Object.isFrozen(words.parse('a')));
    check(kinds.list(kinds.text()), [[['with, comma'], ['with, comma']]], []);
    check(kinds.list(kinds.boolean(), { minItems: 1 }), [['true', [true]]], ['', ',', []]);
  });

  it('reads an empty text as absent where that is allowed, and refuses it elsewhere', () => {
    check(
      kinds.optional(kinds.integer(1, 5)),
      [
        ['', null],
        ['  ', null],
        ['3', 3],
      ],
      ['6', ['']],
    );
    check(kinds.text(), [['a b', 'a b']], ['', '  ', 'a\nb', 'a\0b', 'x'.repeat(1001)]);
    check(kinds.longText(), [['a\nb', 'a\nb']], ['', ' ']);
  });

  it('reads names of headers and mail addresses', () => {
    check(kinds.headerName(), [['X-Request-Id', 'X-Request-Id']], ['', 'X Request', 'X:Y', 'X\r\nY']);
    check(kinds.email(), [['a@b.c', 'a@b.c']], ['', 'a', 'a b@c', 'a@b@c', '<a@b>']);
  });
});
