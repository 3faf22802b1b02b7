import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderMarkdownRaw } from '../../src/markup/render.ts';
import { renderRequest } from '../../src/markup/request.ts';
import { COMMIT, inRepository, render } from './support.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//x></SCRIPT>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](JaVaScRiPt:alert(1))',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#1;javascript:alert(1)">x</a>',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[x](vbscript:x)',
  '<svg onload=alert(1)><script>1</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><a href="javascript:1"><path d="x"/></a></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<math><annotation-xml encoding="text/html"><script>1</script></annotation-xml></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>1</script></template>',
  '<iframe srcdoc="<script>1</script>"></iframe>',
  '<object data=x></object><embed src=x>',
  '<base href=//x>',
  '<meta http-equiv=refresh content=0>',
  '<link rel=stylesheet href=//x>',
  '<style>*{display:none}</style>',
  '<p style="background:url(javascript:1);position:fixed">x</p>',
  '<input type=text onfocus=x() autofocus>',
  '<textarea><script>1</script></textarea>',
  '<form action=x><button formaction="javascript:1">x</button></form>',
  '<video src="javascript:1" onplay=x()></video>',
  '<x onclick=a()>y</x>',
  '<p title="</p><script>x</script>">',
  '[a](https://e.com "onmouseover=\'x\'")',
  '<https://e.com/"onclick=x>',
  '```"><script>x</script>\na\n```',
  '```js onclick=x\n<script>1</script>\n```',
  '$<script>1</script>$',
  '$$\n</code><script>1</script>\n$$',
  '```mermaid\n<script>1</script>\n```',
  '[^<script>1</script>]\n\n[^<script>1</script>]: x',
  '# a {onclick=x() style=position:fixed}',
  ':<script>:',
  '@<script>',
  '---\n<script>1</script>: <img src=x onerror=1>\n---\nx',
  '[[javascript:alert(1)|x]]',
  '[[x|javascript:alert(1)]]',
  '[[x.png|link=javascript:alert(1).png]]',
  'https://host/a/b/issues/1"onclick=x',
  '<a name=x class=y data-x=1 xlink:href="javascript:1">z</a>',
];

/** Every tag and attribute of the HTML, read by a strict reader: what it cannot read fails. */
function tags(html: string): { name: string; attributes: [string, string][] }[] {
  const found = [...html.matchAll(/<\/?([a-z][a-z0-9]*)((?: [a-z][a-z-]*="[^"<>]*")*)\/?>/g)];
  assert.equal(html.replace(/<\/?([a-z][a-z0-9]*)((?: [a-z][a-z-]*="[^"<>]*")*)\/?>/g, '').match(/[<>]/), null, `stray bracket in ${html}`);
  return found.map((match) => ({
    name: match[1] ?? '',
    attributes: [...(match[2] ?? '').matchAll(/ ([a-z-]+)="([^"]*)"/g)].map((attr): [string, string] => [attr[1] ?? '', attr[2] ?? '']),
  }));
}

function assertHarmless(html: string, text: string): void {
  for (const { name, attributes } of tags(html)) {
    assert.doesNotMatch(
      name,
      /^(script|style|iframe|object|embed|form|button|textarea|base|meta|link|template|math|noscript)$/,
      `${text} gave ${html}`,
    );
    for (const [attribute, value] of attributes) {
      assert.doesNotMatch(attribute, /^(on.*|srcdoc|formaction|xlink.*)$/, `${text} gave ${html}`);
      if (attribute === 'href' || attribute === 'src')
        assert.doesNotMatch(value.replace(/\s|&#\d+;/g, ''), /^(javascript|vbscript|data):/i, `${text} gave ${html}`);
      if (attribute === 'style') assert.match(value, /^(background-)?color: [#\w(),. %-]+(; (background-)?color: [#\w(),. %-]+)?$/);
    }
  }
}

describe('security of markup', () => {
  it('nothing that runs comes out of any rendering', async () => {
    for (const text of HOSTILE) {
      assertHarmless(renderMarkdownRaw(text), text);
      assertHarmless(await render(text), text);
      assertHarmless(await render(text, inRepository({ kind: 'file', ref: 'branch/main', folder: '' })), text);
      assertHarmless(await render(`<div>\n\n${text}\n\n</div>`, inRepository({ kind: 'wiki' })), text);
    }
  });
  it('without a context tags stay as they are written, those that are allowed', () => {
    assert.equal(
      renderMarkdownRaw('a <div>b</p> <table>c</td></a></ins> <sup>\n\n<math>d<template>e'),
      '<p dir="auto">a <div>b</p> <table>c</td></a></ins> <sup></p>\n<p dir="auto">de</p>\n',
    );
    assert.equal(renderMarkdownRaw('<a>x</a> <script>y</script>z <object><b>o</b></object>p</object> <frame>q'), '<p dir="auto">x z p ');
    assert.equal(
      renderMarkdownRaw('<xmp><b></xmp> <title><b></title> <textarea>&lt;<b>'),
      '<p dir="auto">&lt;b&gt;  &lt;&lt;b&gt;&lt;/p&gt;\n',
    );
  });
  it('classes and ids of users stay theirs', async () => {
    assert.equal(await render('<p class="modal" id="nav">x</p>'), '<p id="user-content-nav">x</p>');
    assert.equal(await render('<span class="k">x</span> <i class="k">y</i>'), '<p><span class="k">x</span> <i>y</i></p>');
  });
  it('a URL has an allowed scheme, if these are configured', async () => {
    const context = { ...inRepository(), settings: { urlSchemes: ['irc'] } };
    assert.equal(
      await render('[a](irc://x) [b](ssh://y) [c](http://z) irc://w/v', context),
      '<p><a href="irc://x">a</a> b <a href="http://z">c</a> <a href="irc://w/v">irc://w/v</a></p>',
    );
  });
  it('a word like a commit id outside of a repository ends nothing', async () => {
    const known = { rootUrl: 'https://host/' };
    for (const mode of ['', 'gfm', 'comment', 'wiki']) {
      for (const context of ['', '/', 'alice/demo', '/alice/demo/src/branch/main', 'nonsense']) {
        assert.match(await renderRequest({ text: `a ${COMMIT} b`, mode, context, filePath: '' }, known), new RegExp(`a ${COMMIT} b`));
      }
    }
  });
  it('no code point and no half of one makes rendering throw', async () => {
    for (const text of [
      '\0',
      '\ud800',
      '@\udfff #1',
      '[[\ud83d|\ude00]]',
      ':\ud83d:',
      '%',
      '[a](%zz)',
      '<a href="%">x</a>',
      '[a](http://[::1)',
      '![](//)',
      '[](:)',
      '&#xd800; &#0;',
      '`\ud800`',
    ]) {
      assert.equal(typeof (await render(text)), 'string');
      assert.equal(typeof renderMarkdownRaw(text), 'string');
    }
  });
});
