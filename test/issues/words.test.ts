import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endsOfNumbers, isNumber } from '../../src/issues/search/digits.ts';
import { indexedWords, words } from '../../src/issues/search/words.ts';

describe('the words of a text', () => {
  it('are its letters and digits, without regard to case and to how signs are composed', () => {
    assert.deepEqual(words('Printer, on FIRE! #12 a_b v1.2'), ['printer', 'on', 'fire', '12', 'a', 'b', 'v', '1', '2']);
    assert.deepEqual(words('Caf\u00e9 cafe\u0301 ﬁne Ｗide'), ['café', 'café', 'fine', 'wide']);
    assert.deepEqual(words('"; drop* NEAR(x) ^y'), ['drop', 'near', 'x', 'y']);
    assert.deepEqual(words('*** --- \u0000'), []);
  });

  it('are single signs where a script does not part words', () => {
    assert.deepEqual(words('日本語のtest'), ['日', '本', '語', 'の', 'test']);
  });

  it('are indexed with the parts of words in humps, and no part is lost', () => {
    assert.deepEqual(indexedWords('HTTPServer iPhone plain'), ['httpserver', 'iphone', 'plain', 'http', 'server', 'i', 'phone']);
    assert.deepEqual(indexedWords('error404 2ndTry'), ['error', '404', '2', 'ndtry', 'nd', 'try']);
  });

  it('are bounded in number and length', () => {
    const many = words('ab '.repeat(200_000));
    assert.equal(many.length, 50_000);
    assert.equal(words('x'.repeat(10_000))[0]?.length, 64);
  });

  it('are found in whatever a text is made of, however long it is', () => {
    for (const long of ['b', '\u0301', '\u{10400}', 'aB', '漢\u0301']) {
      const text = `b${long.repeat(2_000_000)} end`;
      assert.equal(words(text).at(long.startsWith('漢') ? 0 : -1), long.startsWith('漢') ? 'b' : 'end');
      assert.ok(indexedWords(text).length <= 50_000);
    }
  });
});

describe('the numbers of a text', () => {
  it('have ends, of which each part of a number is a beginning', () => {
    assert.deepEqual(endsOfNumbers('v12 a305', '12'), ['12', '2', '305', '05', '5']);
    assert.deepEqual(endsOfNumbers('none ②٣'), []);
  });

  it('are bounded in number and length', () => {
    const ends = endsOfNumbers('1234567890'.repeat(100_000));
    assert.ok(ends.length <= 500 && ends.every((end) => end.length <= 15));
    assert.equal(endsOfNumbers(Array.from({ length: 1000 }, (_, index) => String(index)).join(' ')).length, 500);
  });

  it('are searched for where a search has digits alone', () => {
    assert.deepEqual(['12', '1.2', '-1', '#1', '', '1'.repeat(16), '٣'].filter(isNumber), ['12']);
  });
});
