import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderFile } from '../../src/markup/file.ts';
import { inRepository } from './support.ts';

const context = inRepository({ kind: 'file', ref: 'branch/main', folder: '' });
async function org(text: string): Promise<string> {
  const rendered = await renderFile(text, 'x.org', context);
  return (rendered?.html ?? '').replace(/ (rel="nofollow|target="_blank)( noopener)?"/g, '');
}

describe('Org documents', () => {
  it('nest headlines and list them first', async () => {
    assert.equal(
      await org('* TODO [#A] a :x:\n** b\n* c'),
      '\n<ul>\n<li><a href="#user-content-headline-1">a</a>\n<ul>\n<li><a href="#user-content-headline-2">b</a>\n</li>\n</ul>\n</li>\n<li><a href="#user-content-headline-3">c</a>\n</li>\n</ul>\n\n'.replace(
        /\n\n$/,
        '\n',
      ) +
        '\n<div id="user-content-outline-container-headline-1">\n<h2 id="user-content-headline-1">\n<span>TODO</span>\n<span>[A]</span>\na\u00a0\u00a0\u00a0<span><span>x</span></span>\n</h2>\n' +
        '<div id="user-content-outline-text-headline-1">\n<div id="user-content-outline-container-headline-2">\n<h3 id="user-content-headline-2">\nb\n</h3>\n</div>\n</div>\n</div>\n' +
        '<div id="user-content-outline-container-headline-3">\n<h2 id="user-content-headline-3">\nc\n</h2>\n</div>\n',
    );
    assert.match(
      await org('#+OPTIONS: toc:nil\n* a\n:PROPERTIES:\n:CUSTOM_ID: mine\n:END:\n* b :noexport:\nx'),
      /^<div id="user-content-outline-container-mine">\n<h2 id="user-content-mine">\na\n<\/h2>\n<\/div>\n$/,
    );
  });
  it('emphasize between marks that stand free', async () => {
    assert.equal(
      await org('*a* /b/ +c+ ~d~ =*e*= _f_ x*g*y H_{2}O'),
      '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code> <code>*e*</code> <span>f</span> x*g*y H<sub>2</sub>O</p>\n',
    );
    assert.equal(await org('a -- b\\\\\nc \\alpha $x_{1}$'), '<p>a – b<br/>\nc α $x_{1}$</p>\n');
  });
  it('link and show pictures', async () => {
    assert.equal(
      await org('[[file:b.org][B /b/]] [[i.png]]'),
      '<p><a href="/alice/demo/src/branch/main/b.org">B <em>b</em></a> <a href="/alice/demo/src/branch/main/i.png"><img src="/alice/demo/media/branch/main/i.png" alt="i.png" loading="lazy"/></a></p>\n',
    );
    assert.equal(await org('[[javascript:alert(1)][x]]'), '<p>x</p>\n');
  });
  it('list, with boxes, terms and blocks inside', async () => {
    assert.equal(
      await org('- [X] a\n  b\n- c\n  1. d\n\nz'),
      '<ul>\n<li class="checked">a\nb</li>\n<li>\n<p>c</p>\n<ol>\n<li>d</li>\n</ol>\n</li>\n</ul>\n<p>z</p>\n',
    );
    assert.equal(await org('- t :: d'), '<dl>\n<dt>\nt\n</dt>\n<dd>d</dd>\n</dl>\n');
    assert.match(await org('- a\n  #+BEGIN_EXAMPLE\nx\n  #+END_EXAMPLE\n- b'), /<pre>x\n<\/pre>\n<\/li>\n<li>b<\/li>/);
  });
  it('show tables with their heads', async () => {
    assert.equal(
      await org('| a | b |\n|---+---|\n| 1 |   |'),
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td></td>\n</tr>\n</tbody>\n</table>\n',
    );
  });
  it('show code, examples and quotes', async () => {
    assert.equal(
      await org('#+BEGIN_SRC js :exports both\nlet a\n#+END_SRC\n#+RESULTS:\n: 1'),
      '<div>\n<pre><code class="chroma language-js"><span class="k">let</span> a</code></pre>\n</div>\n<pre>1\n</pre>\n',
    );
    assert.equal(await org('#+begin_quote\n*a*\n#+end_quote'), '<blockquote>\n<p><strong>a</strong></p>\n</blockquote>\n');
    assert.equal(await org('#+BEGIN_EXPORT html\n<b onclick=x>y</b>\n#+END_EXPORT'), '<b>y</b>\n');
    assert.match(await org('#+BEGIN_SRC js\nnever closed'), /#\+BEGIN_SRC js/);
  });
  it('number footnotes', async () => {
    const html = await org('a[fn:x] b[fn::in line]\n\n[fn:x] Note');
    assert.match(
      html,
      /a<sup><a href="#user-content-footnote-1" id="user-content-footnote-reference-1">1<\/a><\/sup> b<sup><a [^>]*>2<\/a>/,
    );
    assert.match(html, /<sup id="user-content-footnote-1"><a href="#user-content-footnote-reference-1">1<\/a><\/sup>\n<div>\n<p>Note<\/p>/);
  });
  it('read no other files and end all macros', async () => {
    assert.doesNotMatch(await org('#+INCLUDE: "/etc/passwd" src text'), /root:/);
    assert.ok((await org(`#+MACRO: a x${'{{{a}}}'.repeat(100)}\n{{{a}}}`)).length < 500_000);
  });
});
