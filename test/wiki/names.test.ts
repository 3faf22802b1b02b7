import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileOfPage, isReserved, pageOfFile, pageOfPath, pageOfTitle, titleOfPage } from '../../src/wiki/names.ts';

describe('names of wiki pages', () => {
  for (const [title, page, file] of [
    ['Home', 'Home', 'Home.md'],
    ['Second page', 'Second-page', 'Second-page.md'],
    ['With-dash', 'With-dash.-', 'With-dash.-.md'],
    ['2000-01-02 meeting', '2000-01-02+meeting.-', '2000-01-02 meeting.-.md'],
    ['100% free', '100%25-free', '100%25-free.md'],
    ['a+b', 'a%2Bb', 'a%2Bb.md'],
    ['Sub/Page & more?', 'Sub%2FPage-%26-more%3F', 'Sub%2FPage-%26-more%3F.md'],
    ['notes.md', 'notes.md.-', 'notes.md.-.md'],
    ["it's (1)*!", 'it%27s-%281%29%2A%21', 'it%27s-%281%29%2A%21.md'],
    ['../../etc', '..%2F..%2Fetc', '..%2F..%2Fetc.md'],
    ['a\\b', 'a%5Cb', 'a%5Cb.md'],
  ] as const) {
    it(`go from ${title} to a file and back`, () => {
      assert.equal(pageOfTitle(title), page);
      assert.equal(fileOfPage(page), file);
      assert.equal(pageOfFile(file), page);
      assert.equal(titleOfPage(page), title);
    });
  }

  it('are never outside of the wiki', () => {
    for (const title of ['.', '..', ' .. ']) assert.equal(pageOfTitle(title), 'unnamed');
    assert.equal(pageOfPath('..%2F..%2Fetc'), '..%2F..%2Fetc');
    assert.equal(pageOfPath('a/../../b'), 'b');
    assert.equal(pageOfPath('a\\..\\..\\b'), 'b');
    assert.equal(fileOfPage('..%2F..%2Fetc.md'), 'etc.md');
  });

  it('of files that are not pages, or make no sense, are none', () => {
    assert.equal(pageOfFile('image.png'), undefined);
    assert.equal(pageOfFile('50%.md'), undefined);
    assert.equal(titleOfPage('50%'), '50%');
    assert.equal(fileOfPage('50%'), '50%25.md');
    assert.equal(titleOfPage('%FF'), '%FF');
  });

  it('can be reserved', () => {
    for (const page of ['_new', '_edit', '_pages', 'raw', '%5Fnew']) assert.ok(isReserved(page), page);
    for (const page of ['_Sidebar', 'Raw', 'new']) assert.ok(!isReserved(page), page);
  });
});
