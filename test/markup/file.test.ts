import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderFile } from '../../src/markup/file.ts';
import { fileKind } from '../../src/markup/file-kind.ts';
import { renderRequest } from '../../src/markup/request.ts';
import { inRepository } from './support.ts';

const context = inRepository({ kind: 'file', ref: 'branch/main', folder: '' });
const html = async (text: string, path: string) => (await renderFile(text, path, context))?.html;

describe('files', () => {
  it('are known by their names, terminals by their sequences', () => {
    assert.equal(fileKind('a/README.MD'), 'markdown');
    assert.equal(fileKind('a.csv/b.txt'), undefined);
    assert.equal(fileKind('log', '\x1b[31mx\x1b[0m'), 'console');
    assert.equal(fileKind('log', '\x1b[31mx'), undefined);
  });
  it('show separated values as a table', async () => {
    assert.equal(
      await html('a,b\n1,"x, ""y"""\n\nbad"quote,1\n', 'x.csv'),
      '<table class="data-table"><tr><th class="line-num">1</th><th>a</th><th>b</th></tr><tr><td class="line-num">2</td><td>1</td><td>x, &#34;y&#34;</td></tr></table>',
    );
    assert.match((await html('a;b;c\n1;2;3', 'x.csv')) ?? '', /<th>a<\/th><th>b<\/th><th>c<\/th>/);
    assert.match((await html('a\t\tb', 'x.tsv')) ?? '', /<th>a<\/th><th><\/th><th>b<\/th>/);
    assert.match((await html('<script>,"a\nb"', 'x.csv')) ?? '', /<th>&lt;script&gt;<\/th><th>a\nb<\/th>/);
  });
  it('cut long tables and say so', async () => {
    const table = await renderFile('a\n'.repeat(3000), 'd/x y.csv', inRepository({ kind: 'file', ref: 'branch/main', folder: 'd' }));
    assert.match(
      table?.html ?? '',
      /<td class="line-num">2500<\/td><td>a<\/td><\/tr><\/table><table class="data-table"><tr><td>The file is too large to be shown. <a href="\/alice\/demo\/raw\/branch\/main\/d\/x%20y.csv" rel="nofollow">View Raw<\/a>/,
    );
  });
  it('show what a terminal showed', async () => {
    assert.equal(
      await html('\x1b[1;31mred<\x1b[0m x\ny\rz\x1b[38;5;9mq', 'a.sh-session'),
      '<span class="term-fg1 term-fg31">red&lt;</span> x<br>z<span class="term-fgx9">q</span>',
    );
    assert.equal(await html('abc\x1b[2D\x1b[K!', 'a.sh-session'), 'a!');
    assert.equal(await html('a\n\nb\n\n', 'a.sh-session'), 'a<br>\u00a0<br>b');
  });
  it('give recordings a place for the player', async () => {
    assert.equal(
      await html('{}', 'a b/x.cast'),
      '<div class="asciinema-player-container" data-asciinema-player-src="/alice/demo/raw/branch/main/a%20b/x.cast"></div>',
    );
  });
});

describe('requests', () => {
  const known = { rootUrl: 'https://host/git/' };
  it('state where the text stands', async () => {
    const render = (mode: string, place: string, filePath = '') => renderRequest({ text: '[a](b)', mode, context: place, filePath }, known);
    assert.match(await render('gfm', '/git/o/r/src/branch/main/docs'), /href="https:\/\/host\/git\/o\/r\/src\/branch\/main\/docs\/b"/);
    assert.match(
      await render('file', '/git/o/r/src/branch/x/y/docs', 'docs/a.md'),
      /href="https:\/\/host\/git\/o\/r\/src\/branch\/x\/y\/docs\/b"/,
    );
    assert.match(await render('comment', '/git/o/r'), /href="https:\/\/host\/git\/o\/r\/b"/);
    assert.match(await render('', '/git/o/r'), /href="b"/);
  });
  it('name what cannot be rendered', async () => {
    const request = { text: 'x', context: '/git/o/r/src/branch/main' };
    await assert.rejects(renderRequest({ ...request, mode: 'sideways', filePath: '' }, known), {
      name: 'UnrenderableError',
      message: 'unsupported render mode: sideways',
    });
    await assert.rejects(renderRequest({ ...request, mode: 'file', filePath: 'x.unknown' }, known), {
      name: 'UnrenderableError',
      message: 'unable to find a render',
    });
  });
});
