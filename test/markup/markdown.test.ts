import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderMarkdownDocument, renderMarkdownRaw } from '../../src/markup/render.ts';
import { inRepository, render } from './support.ts';

const file = inRepository({ kind: 'file', ref: 'branch/main', folder: '' });

describe('Markdown', () => {
  it('breaks lines in comments only', async () => {
    assert.equal(await render('a\nb'), '<p>a<br/>\nb</p>');
    assert.equal(await render('a\nb', file), '<p>a\nb</p>');
    assert.equal(await render('a \t\nb'), '<p>a<br/>\nb</p>');
  });
  it('strikes through with one tilde or two, not three', async () => {
    assert.equal(await render('~a~ ~~b~~ ~~~c~~~ ~~d~'), '<p><del>a</del> <del>b</del> ~~~c~~~ ~~d~</p>');
  });
  it('keeps the underscores of Python files', async () => {
    assert.equal(await render('_a_.py'), '<p>_a_.py</p>');
    assert.equal(await render('_a_ b'), '<p><em>a</em> b</p>');
  });
  it('knows the byte at which a check box stands, behind front matter and wide characters too', async () => {
    const text = '---\nk: v\n---\nä\n\n- [ ] open\n  - [x] ß\n';
    const html = await render(text, file);
    const positions = [...html.matchAll(/data-source-position="(\d+)"/g)].map((match) => Number(match[1]));
    const bytes = Buffer.from(text);
    assert.deepEqual(
      positions.map((position) => bytes.subarray(position, position + 3).toString()),
      ['[ ]', '[x]'],
    );
    assert.match(html, /<li class="task-list-item"><input type="checkbox" disabled="" data-source-position="\d+" checked=""\/>ß<\/li>/);
  });
  it('puts a check box of a loose list before the paragraph', async () => {
    assert.equal(
      await render('- [x] a\n\n- b'),
      '<ul>\n<li class="task-list-item"><input type="checkbox" disabled="" data-source-position="2" checked=""/>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>',
    );
  });
  it('colours quotes that begin with a mark', async () => {
    const html = await render('> [!TIP]\n> do');
    assert.match(
      html,
      /^<blockquote class="attention-header attention-tip"><p><svg viewbox="0 0 16 16" class="attention-icon attention-tip svg octicon-light-bulb"/,
    );
    assert.match(html, /<strong class="attention-tip">Tip<\/strong><\/p>\n<p>do<\/p>/);
    assert.match(await render('> **Warning**\n> hot'), /attention-warning/);
    assert.doesNotMatch(await render('> [!TIP] same line'), /attention/);
    assert.doesNotMatch(await render('> [!OTHER]\n> x'), /attention/);
  });
  it('reads formulas between dollars, not prices', async () => {
    assert.equal(await render('$a_b$ and $`c`$'), '<p><code class="language-math">a_b</code> and <code class="language-math">c</code></p>');
    assert.equal(await render('costs $5 or 6$7'), '<p>costs $5 or 6$7</p>');
    assert.equal(await render('$$\nx\n$$'), '<pre class="code-block is-loading"><code class="language-math display">\nx\n</code></pre>');
    assert.equal(await render('\\(a\\)'), '<p>(a)</p>');
    const math = { inlineDollar: false, inlineParentheses: true, blockDollar: false, blockSquareBrackets: true };
    assert.equal(await render('\\(a\\) $b$', { ...inRepository(), settings: { math } }), '<p><code class="language-math">a</code> $b$</p>');
    assert.match(await render('\\[\na\n\\]', { ...inRepository(), settings: { math } }), /language-math display">\na\n/);
  });
  it('numbers footnotes by their first mention and names their anchors', async () => {
    const html = await render('a[^z] b[^y] c[^z]\n\n[^y]: Y\n[^z]: Z\n[^x]: unused', inRepository({ kind: 'comment', footnotes: '7' }));
    assert.match(html, /a<sup id="fnref:user-content-z-7"><a href="#fn:user-content-z-7">1 <\/a><\/sup>/);
    assert.match(
      html,
      /<li id="fn:user-content-z-7">\n<p>Z <a href="#fnref:user-content-z-7">↩︎<\/a><\/p>\n<\/li>\n<li id="fn:user-content-y-7">/,
    );
    assert.doesNotMatch(html, /unused/);
  });
  it('reads footnotes before links, by the first definition of a label', async () => {
    const mark = (name: string, number: number) =>
      `<sup id="fnref:user-content-${name}"><a href="#fn:user-content-${name}">${number} </a></sup>`;
    const html = await render(
      'a[^x y](z) ![^ä] [^Ö][^x_y]\n\n[^x y]: one\n[^x y]: two\n[^ä]: three\n[^Ö]: four\n[^x_y]: five\n\n         code',
    );
    assert.ok(html.startsWith(`<p>a${mark('x-y', 1)}(z) ${mark('id', 2)} ${mark('id-1', 3)}${mark('x-y-1', 4)}</p>\n<div>\n<hr/>\n<ol>\n`));
    assert.match(html, /<p>one <a href="#fnref:user-content-x-y">/);
    assert.doesNotMatch(html, /two/);
    assert.match(html, /<p>five<\/p>\n<pre><code> code\n<\/code><\/pre>\n <a href="#fnref:user-content-x-y-1">/);
    assert.equal(
      await render('- [^a]\n[^a]: lazy'),
      `<ul>\n<li>${mark('a', 1)}</li>\n</ul>\n${html.slice(html.indexOf('<div>'), html.indexOf('<li'))}<li id="fn:user-content-a">\n<p>lazy <a href="#fnref:user-content-a">↩︎</a></p>\n</li>\n</ol>\n</div>`,
    );
    assert.match(await render('a[^1]\n\n[^1]:\tb'), /<p>b /);
    assert.match(await render('a[^1]\n\n[^1]:     b'), /<code> b/);
  });
  it('reads definition lists, a term on each line', async () => {
    assert.equal(
      await render('a\n*b*\n: c\nlazy\n: d\n\n  e\n\nf\n\n:   - g'),
      '<dl>\n<dt>a</dt>\n<dt><em>b</em></dt>\n<dd>c<br/>\nlazy</dd>\n<dd>d\n<p>e</p>\n</dd>\n<dt>f</dt>\n<dd>\n<ul>\n<li>g</li>\n</ul>\n</dd>\n</dl>',
    );
    assert.equal(await render('a\n : b\n\n: c'), '<dl>\n<dt>a</dt>\n<dt>: b</dt>\n<dd>\n<p>c</p>\n</dd>\n</dl>');
    assert.equal(await render('a\n~ b\n:c'), '<p>a<br/>\n~ b<br/>\n:c</p>');
    assert.equal(await render('> a\n: b'), '<blockquote><p>a<br/>\n: b</p>\n</blockquote>'.replace('><p>', '>\n<p>'));
    assert.equal(await render('- a\n  : b\n- c'), '<ul>\n<li>\n<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n</li>\n<li>c</li>\n</ul>');
  });
  it('begins a quote within a quote on the same line, and ends an empty one on the next', async () => {
    assert.equal(await render('> > a'), '<blockquote>\n<blockquote><p>a</p>\n</blockquote>\n</blockquote>');
    assert.equal(await render('>'), '<blockquote>\n</blockquote>');
  });
  it('takes emphasis of any kind for the word of an alert', async () => {
    for (const text of ['> *Tip*\n> x', '> ***TIP***\n> x', '> __`tip`__\n> x'])
      assert.match(await render(text), /^<blockquote class="attention-header attention-tip">.*Tip<\/strong>/, text);
    assert.match(await render('> **tip**'), /<\/strong><\/p>\n<\/blockquote>$/);
    for (const text of ['> x **tip**', '> **tip:** x', '> **a tip**']) assert.doesNotMatch(await render(text), /attention/, text);
  });
  it('takes paragraphs for tables from their line of delimiters on', async () => {
    const cells = async (text: string) =>
      [...(await render(text)).matchAll(/<(t[hd])[^>]*>(.*?)<\/t[hd]>/g)].map(([, tag, content]) => `${tag} ${content}`);
    assert.deepEqual(await cells('x\n|a\n|-|-\n|1|2|3\n    4\n\n    code'), ['th a', 'th ', 'td 1', 'td 2', 'td 4', 'td ']);
    assert.deepEqual(await cells('> - a|`b\\|c`\n:-|:-:\n> d\\|e'), ['th a', 'th <code>b|c</code>', 'td d|e', 'td ']);
    assert.deepEqual(await cells('|a\\|b \\\\|c|\n|-|'), ['th a|b \\|c']);
    for (const text of ['a|b\n-', '|a|b|\n|-|', 'a\n--', 'a\n    |-|', 'a|b\n-|=']) assert.deepEqual(await cells(text), [], text);
    assert.match(await render('|a|\n|-|\n---'), /<\/table>\n<hr\/>$/);
    assert.match(await render('a|b\n-|-\n: c'), /<\/table>\n<p>: c/);
    assert.match(
      await render('x\n|a|\n|:-|\n'),
      /^<p>x<\/p>\n<table>\n<thead>\n<tr>\n<th align="left">a<\/th>\n<\/tr>\n<\/thead>\n<\/table>$/,
    );
  });
  it('begins no block with a tag that ends raw text', async () => {
    assert.equal(renderMarkdownRaw('</pre>\n*a*'), '<p dir="auto"></pre>\n<em>a</em></p>\n');
  });
  it('shows front matter whose settings cannot be read in the text, too', async () => {
    for (const source of ['a: b\na: c', 'lang: [x]', 'gitea:\n  meta: {}'])
      assert.match(await render(`---\n${source}\n---\nx`, file), /<\/details><hr\/>\n<h2/, source);
    assert.doesNotMatch(await render('---\nmeta: {a: b}\n---\nx', file), /<hr/);
  });
  it('gives headings of files anchors, from their text or their attributes', async () => {
    assert.equal(
      await render('# Ä & `b` #\n## x {#own .c}', file),
      '<h1 id="user-content-ä--b">Ä &amp; <code>b</code></h1>\n<h2 id="user-content-own">x</h2>',
    );
    assert.equal(await render('# a'), '<h1>a</h1>');
    assert.equal(await render('# İΑΣ', file), '<h1 id="user-content-iασ">İΑΣ</h1>');
    const { headings } = await renderMarkdownDocument('# A\n### B', file);
    assert.deepEqual(headings, [
      { level: 1, anchor: 'user-content-a', text: 'A' },
      { level: 3, anchor: 'user-content-b', text: 'B' },
    ]);
  });
  it('shows a table of contents where front matter asks for it', async () => {
    const html = await render('---\ngitea:\n  meta: none\n  include_toc: true\n---\n# One\n## Two\n# Three', file);
    assert.match(
      html,
      /^<details><summary>Table of Contents<\/summary>\n<ul>\n {2}<li><a href="#user-content-one">One<\/a><\/li>\n {2}<ul>\n/,
    );
  });
  it('shows front matter as it was written', async () => {
    const html = await render('---\nday: 2020-01-01\nl: [a, {k: v}]\n---\nx', file);
    assert.match(html, /^<details class="frontmatter-content"><summary><svg.*<\/svg> day, l<\/summary><table>/);
    assert.match(html, /<td>2020-01-01<\/td>/);
    assert.match(html, /<th>k<\/th>/);
  });
  it('takes what is not a mapping between rules for text', async () => {
    assert.equal(await render('---\n\nx\n---', file), '<hr/>\n<h2 id="user-content-x">x</h2>');
    assert.match(await render('---\na: [b\n---\nx', file), /^<hr\/>/);
  });
  it('highlights code of known languages and frames all of it', async () => {
    const html = await render('```js\nlet a = "b";\n```');
    assert.match(
      html,
      /^<div class="code-block-container code-overflow-scroll"><pre class="code-block"><code class="chroma language-js display"><span class="k">let<\/span>/,
    );
    assert.match(await render('```../../x\na<b\n```'), /language-..\/..\/x display">a&lt;b\n<\/code>/);
    assert.match(
      await render('```mermaid\nA-->B\n```'),
      /<pre class="code-block is-loading"><code class="chroma language-mermaid display">A--&gt;B\n/,
    );
  });
  it('samples colours in code', async () => {
    assert.equal(
      await render('`#ff0000`'),
      '<p><code>#ff0000<span class="color-preview" style="background-color: #ff0000"></span></code></p>',
    );
    assert.equal(await render('`red`'), '<p><code>red</code></p>');
  });
  it('names emoji', async () => {
    assert.equal(
      await render(':smile: 👍🏿 :no_such: a:b:c'),
      '<p><span class="emoji" aria-label="grinning face with smiling eyes">😄</span> <span class="emoji" aria-label="thumbs up: Dark Skin Tone">👍🏿</span> :no_such: a:b:c</p>',
    );
    assert.doesNotMatch(await render(':tada:a :tada:1 :tada:中 :tada:…'), /party|🎉/);
    assert.match(await render(':tada:!'), /🎉<\/span>!/);
    assert.match(await render(':hooray: :laugh:'), /🎉.*😆/);
    const own = { ...inRepository(), settings: { customEmoji: new Set(['fox']) } };
    assert.match(await render(':fox:', own), /<span class="emoji" aria-label="fox"><img alt=":fox:" src="\/assets\/img\/emoji\/fox.png"/);
  });
});

describe('raw Markdown', () => {
  it('has no references, classes or resolved links', () => {
    assert.equal(
      renderMarkdownRaw('# a\n[b](c) #1 @bob :smile:\n\n> [!NOTE]\n> n').replace(/<svg.*<\/svg>/, ''),
      '<h1>a</h1>\n<p dir="auto"><a href="c" rel="nofollow">b</a> #1 @bob :smile:</p>\n<blockquote><p dir="auto"><strong>Note</strong></p>\n<p dir="auto">n</p>\n</blockquote>\n',
    );
  });
});
