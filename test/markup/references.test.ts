import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarkupContext } from '../../src/markup/context.ts';
import { COMMIT, inRepository, render } from './support.ts';

const link = (path: string, text: string) => `<a href="/${path}" class="ref-issue">${text}</a>`;

describe('references', () => {
  it('links issues and pull requests by number in comments', async () => {
    assert.equal(
      await render('#1 (!2) a#3 ##4 #5a `#6`'),
      `<p>${link('alice/demo/issues/1', '#1')} (${link('alice/demo/pulls/2', '!2')}) a#3 ##4 #5a <code>#6</code></p>`,
    );
  });
  it('links only full references in files', async () => {
    const file = inRepository({ kind: 'file', ref: 'branch/main', folder: '' });
    assert.equal(await render('#1 x/y#2', file), `<p>#1 ${link('x/y/issues/2', 'x/y#2')}</p>`);
  });
  it('links all references of one text, whichever kind comes first', async () => {
    assert.equal(await render('x/y#1 and #2'), `<p>${link('x/y/issues/1', 'x/y#1')} and ${link('alice/demo/issues/2', '#2')}</p>`);
  });
  it('leaves numbers that no issue can have', async () => {
    assert.equal(await render('#99999999999999999999'), '<p>#99999999999999999999</p>');
  });
  it('marks closing words', async () => {
    assert.equal(await render('Fixes #1'), `<p><span class="issue-keyword">Fixes</span> ${link('alice/demo/issues/1', '#1')}</p>`);
    assert.equal(await render('prefixes #1'), `<p>prefixes ${link('alice/demo/issues/1', '#1')}</p>`);
  });
  it('follows an external tracker, but pull requests stay here', async () => {
    const tracker = (style: 'numeric' | 'alphanumeric' | 'regexp', pattern?: string): MarkupContext => ({
      ...inRepository(),
      repository: { owner: 'alice', name: 'demo', issueTracker: { format: 'https://t.example/{repo}/{index}', style, pattern } },
    });
    const external = (index: string, text: string) =>
      `<a href="https://t.example/demo/${index}" class="ref-issue ref-external-issue">${text}</a>`;
    assert.equal(await render('#1 !2', tracker('numeric')), `<p>${external('1', '#1')} ${link('alice/demo/pulls/2', '!2')}</p>`);
    assert.equal(
      await render('ABC-12 #1 !2', tracker('alphanumeric')),
      `<p>${external('ABC-12', 'ABC-12')} #1 ${link('alice/demo/pulls/2', '!2')}</p>`,
    );
    assert.equal(await render('bug:7 x', tracker('regexp', 'bug:(\\d+)')), `<p>${external('7', 'bug:7')} x</p>`);
    assert.equal(await render('Bug:7', tracker('regexp', '(?i)(?P<all>bug:(?:\\d+))')), `<p>${external('Bug:7', 'Bug:7')}</p>`);
    assert.equal(await render('bug:7', tracker('regexp', '(')), '<p>bug:7</p>');
  });
  it('shows titles of issues that stand alone in a list', async () => {
    const context = inRepository();
    const asked: unknown[] = [];
    context.lookups = {
      issueTitles: (issues) => {
        asked.push(issues);
        return new Map([['alice/demo#1', { title: 'Wings <b>' }]]);
      },
    };
    assert.equal(
      await render('- #1\n- see #2 here', context),
      `<ul>\n<li>${link('alice/demo/issues/1', ' Wings &lt;b&gt; (#1)')}</li>\n<li>see ${link('alice/demo/issues/2', '#2')} here</li>\n</ul>`,
    );
    assert.equal(asked.length, 1);
  });
  it('links mentions of those who are there, asking once', async () => {
    let asked = 0;
    const context = inRepository();
    context.lookups = {
      mentionable: (names) => {
        asked++;
        return names.filter((name) => name !== 'nobody');
      },
    };
    assert.equal(
      await render('@nobody @bob, (@alice) x@bob `@bob`', context),
      '<p>@nobody <a href="/bob">@bob</a>, (<a href="/alice">@alice</a>) x@bob <code>@bob</code></p>',
    );
    assert.equal(asked, 1);
  });
  it('links teams of the organization that may read the repository', async () => {
    const context = { ...inRepository(), repository: { owner: 'Org', name: 'r', teams: ['core'] } };
    assert.equal(await render('@org/Core @org/other', context), '<p><a href="/org/org/teams/Core">@org/Core</a> @org/other</p>');
  });
  it('links commits that are there', async () => {
    const short = COMMIT.slice(0, 10);
    assert.equal(
      await render(`${COMMIT} ${'1234567890'.repeat(4)} x/y@${COMMIT}`),
      `<p><a href="/alice/demo/commit/${COMMIT}"><code>${short}</code></a> ${'1234567890'.repeat(4)} <a href="/x/y/commit/${COMMIT}" class="commit">x/y@${short}</a></p>`,
    );
  });
  it('shortens URLs of this instance, not of others', async () => {
    const at = (path: string, text: string) => `<a href="https://host/${path}" class="ref-issue">${text}</a>`;
    assert.equal(
      await render('https://host/alice/demo/issues/1 https://host/x/y/pulls/2#issuecomment-3'),
      `<p>${at('alice/demo/issues/1', '#1')} ${at('x/y/pulls/2#issuecomment-3', 'x/y#2 (comment)')}</p>`,
    );
    assert.match(await render('https://hostile/alice/demo/issues/1'), />https:\/\/hostile\/alice\/demo\/issues\/1</);
    assert.match(await render('https://host/alice/demo/pulls/1/files'), />https:\/\/host\/alice\/demo\/pulls\/1\/files</);
    assert.match(
      await render(`https://host/alice/demo/commit/${COMMIT}.diff.`),
      new RegExp(`<code>${COMMIT.slice(0, 10)}.diff</code></a>\\.`),
    );
    assert.match(await render('https://host/a/b/compare/0123456789a...abcdef01234#x'), /<code>0123456789...abcdef0123 \(x\)<\/code>/);
  });
  it('shows code that a text points to when it may', async () => {
    const url = `https://host/a/b/src/commit/${COMMIT}/d/e%20f.go#L3-L5`;
    const context = inRepository();
    context.lookups = {
      codePreviews: (places) =>
        new Map(places.map((place) => [place.url, `<div>${JSON.stringify(place.path)} ${place.first}-${place.last}</div>`])),
    };
    assert.match(await render(`see ${url} there`, context), /see <div>&#34;d\/e f.go&#34; 3-5<\/div> there/);
  });
  it('links plain URLs without the punctuation of the sentence', async () => {
    const links = [
      ...(await render('(https://a.b/c_(d)) https://a.b/c?d=e. http://a.b/...x me@a.bc, git@a.bc:d.git')).matchAll(/href="([^"]*)"/g),
    ].map((match) => match[1]);
    assert.deepEqual(links, ['https://a.b/c_(d)', 'https://a.b/c?d=e', 'http://a.b/...x', 'mailto:me@a.bc']);
  });
});

describe('links', () => {
  const href = async (text: string, context: MarkupContext) =>
    [...(await render(text, context)).matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1]);
  it('start where the text stands', async () => {
    const text = '[a](b.md?x=1#y) [c](/d) [e](../f) [g](#h) [i](mailto:a@b.c)';
    assert.deepEqual(await href(text, inRepository({ kind: 'file', ref: 'branch/main', folder: 'docs' })), [
      '/alice/demo/src/branch/main/docs/b.md?x=1#y',
      '/alice/demo/src/branch/main/d',
      '/alice/demo/src/branch/main/f',
      '#user-content-h',
      'mailto:a@b.c',
    ]);
    assert.deepEqual((await href(text, inRepository({ kind: 'wiki' })))[0], '/alice/demo/wiki/b.md?x=1#y');
    assert.deepEqual((await href(text, inRepository()))[0], '/alice/demo/b.md?x=1#y');
  });
  it('are absolute behind the path of the instance when asked', async () => {
    const context = { ...inRepository(), rootUrl: 'https://host/git/', absoluteLinks: true };
    assert.deepEqual(await href('[a](b) @bob', context), ['https://host/git/alice/demo/b', 'https://host/git/bob']);
    // To a browser the backslash would begin the name of a host.
    assert.deepEqual(await href('[a](\\\\b\\c)', context), ['/git/alice/demo/%5Cb%5Cc']);
  });
  it('are resolved once in tags that go on behind their paragraph', async () => {
    assert.deepEqual(await href('<a href="b">c\n\nd <a href="#e">f\n\ng', inRepository()), [
      '/alice/demo/b',
      '/alice/demo/b',
      '/alice/demo/b',
      '#user-content-e',
      '#user-content-e',
    ]);
  });
  it('have hosts as in URLs', async () => {
    assert.deepEqual(
      await href('http://ä.de/ö [a](https://) <https://a.`b> [c](http://d%41/) [e](http://"f"/) [g](http://h"@i/)', inRepository()),
      ['http://%C3%A4.de/%C3%B6', 'https:', 'http://h%22@i/'],
    );
  });
  it('of pictures load the file and lead to its page', async () => {
    const file = inRepository({ kind: 'file', ref: 'tag/v1', folder: '' });
    assert.deepEqual(await href('![a](b.png) [![c](d.png)](e)', file), [
      '/alice/demo/src/tag/v1/b.png',
      '/alice/demo/media/tag/v1/b.png',
      '/alice/demo/src/tag/v1/e',
      '/alice/demo/media/tag/v1/d.png',
    ]);
    const proxied = { ...file, settings: { mediaUrl: (url: string) => `https://proxy/${url}` } };
    assert.deepEqual((await href('![a](http://x/y.png)', proxied))[1], 'https://proxy/http://x/y.png');
  });
  it('of wikis in double brackets', async () => {
    assert.deepEqual(await href('[[A page]] [[Words|Page]] [[i.png]]', inRepository({ kind: 'wiki' })), [
      '/alice/demo/wiki/A-page',
      '/alice/demo/wiki/Page',
      '/alice/demo/wiki/i.png',
      '/alice/demo/wiki/raw/i.png',
    ]);
  });
});
