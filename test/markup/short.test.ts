import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findInMarkdown, findInText } from '../../src/markup/references.ts';
import { renderDescription, renderShortText } from '../../src/markup/short.ts';
import { COMMIT, inRepository } from './support.ts';

const strip = (html: string) => html.replace(/ (rel="nofollow( noopener)?"|data-markdown-generated-content=""|class="[^"]*")/g, '');
const context = inRepository();

describe('short texts', () => {
  it('link references in titles, not URLs, and show code', async () => {
    assert.equal(
      strip(await renderShortText('<b> `#1` #1 https://x.y @bob :smile:', 'title', context)),
      '&lt;b&gt; <code>#1</code> <a href="/alice/demo/issues/1">#1</a> https://x.y @bob <span aria-label="grinning face with smiling eyes">😄</span>',
    );
  });
  it('link all of a message', async () => {
    assert.equal(
      strip(await renderShortText(`Fix\n\n@bob me@x.yz ${COMMIT} \`a\``, 'message', context)),
      `Fix\n\n<a href="/bob">@bob</a> <a href="mailto:me@x.yz">me@x.yz</a> <a href="/alice/demo/commit/${COMMIT}"><code>${COMMIT.slice(0, 10)}</code></a> \`a\``,
    );
  });
  it('lead the rest of a subject elsewhere', async () => {
    assert.equal(
      strip(await renderShortText('Fix #1 now', 'subject', context, '/c')),
      '<a href="/c"><span>Fix</span></a><a href="/c"> </a><a href="/alice/demo/issues/1">#1</a><a href="/c"> now</a>',
    );
    assert.equal(strip(await renderShortText('https://x.y/z', 'subject', context, '/c')), '<a href="/c">https://x.y/z</a>');
  });
  it('are rendered alike, whether or not they can have references', async () => {
    // Nothing with an exclamation mark is taken for plain.
    for (const kind of ['subject', 'message', 'title', 'emoji'] as const)
      for (const link of [undefined, '/c', "/a&b/it's?x=%22"])
        for (const text of ['Say it, twice (1.2) - so_be', ' ', 'v1.2.3-rc.1', 'www.example.com', 'defaced', '-', 'closes fixes'])
          assert.equal(
            await renderShortText(text, kind, context, link),
            (await renderShortText(`${text}!`, kind, context, link)).replace('!', ''),
            text,
          );
    const tracked = {
      ...context,
      repository: { owner: 'alice', name: 'demo', issueTracker: { style: 'alphanumeric', format: 'https://t/{index}' } },
    } as const;
    assert.match(await renderShortText('Fix ABC-12', 'subject', tracked, '/c'), /href="https:\/\/t\/ABC-12"/);
    assert.match(await renderShortText(`See ${COMMIT.slice(0, 7)}`, 'subject', context, '/c'), /<code>/);
  });
  it('keep little HTML in descriptions', () => {
    assert.equal(
      strip(renderDescription('<b>a</b> <h1>c</h1> https://x.y <img src=x onerror=y> <a href="javascript:x">d</a> #1', context)),
      '<b>a</b> c <a href="https://x.y" target="_blank">https://x.y</a>  d #1',
    );
  });
});

const ROOT = 'https://host/';
const brief = (text: string) =>
  findInMarkdown(text, ROOT).references.map(
    ({ owner, name, index, isPull, action }) => `${owner && `${owner}/${name}`}${isPull ? '!' : '#'}${index}${action ? ` ${action}` : ''}`,
  );

describe('what a text names', () => {
  it('is found in running text, not in code', () => {
    const text = '# Hi @bob\n\n`@no #9` **@alice** @Org/Team\n\n```\n#8\n```\n\n- fixes #1\n- Reopens: X/y!2\n- #3 #3';
    assert.deepEqual(findInMarkdown(text, ROOT).mentions, ['bob', 'alice', 'Org/Team']);
    assert.deepEqual(brief(text), ['#1 closes', 'x/y!2 reopens', '#3', '#3']);
  });
  it('is found in URLs and links of this instance', () => {
    assert.deepEqual(brief('closes https://host/A/b/pulls/4, https://other/a/b/issues/5'), ['a/b!4 closes']);
    assert.deepEqual(brief('(https://host/a/b/issues/1?x#issuecomment-2), https://host/a/b/issues/3x'), ['a/b#1']);
    assert.deepEqual(findInText('https://host/a/b/issues/1#issuecomment-2', ROOT).references, []);
    assert.deepEqual(brief('closes [it](https://host/a/b/issues/6) [z](/c/d/issues/7) [w](https://host/a/b/issues/8/x) [v](#9)'), [
      'a/b#6 closes',
      'c/d#7',
    ]);
  });
  it('is found in plain text', () => {
    assert.deepEqual(
      findInText('resolve #2 `#3` (@bob)', ROOT).references.map(({ index, action }) => [index, action]),
      [[2, 'closes']],
    );
    assert.deepEqual(findInText('see (#2) (@bob)', ROOT).mentions, ['bob']);
    assert.deepEqual(findInText('beendet #2', ROOT, { closeKeywords: ['beendet'] }).references[0]?.action, 'closes');
  });
  it('may log time', () => {
    assert.deepEqual(
      findInText('#1 @1h30m and #2 @2d, @x1h', ROOT).references.map(({ timeLog }) => timeLog),
      ['1h30m', '2d'],
    );
  });
});
