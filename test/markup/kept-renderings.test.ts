// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MarkupContext } from '../../src/markup/context.ts';
import { renderMarkdownDocument } from '../../src/markup/render.ts';
import { COMMIT, inRepository, render } from './support.ts';

/** Somebody who may see these accounts and titles of issues. */
function reader(names: readonly string[], title?: string): MarkupContext {
  return inRepository(undefined, {
    lookups: {
      mentionable: (asked) => asked.filter((name) => names.includes(name)),
      issueTitles: (issues) => new Map(title === undefined ? [] : issues.map(({ index }) => [`alice/demo#${index}`, { title }])),
    },
  });
}

describe('a text that was rendered before', () => {
  it('is looked up for each reader', async () => {
    const text = 'kept: @alice and @hidden';
    assert.match(await render(text, reader(['alice', 'hidden'])), /href="\/hidden"/);
    assert.doesNotMatch(await render(text, reader(['alice'])), /href="\/hidden"/);
    assert.match(await render(text, reader(['alice', 'hidden'])), /href="\/hidden"/);
  });

  it('follows what it names', async () => {
    const text = '- #12';
    assert.match(await render(text, reader([], 'Before')), /Before \(#12\)/);
    assert.match(await render(text, reader([], 'After')), /After \(#12\)/);
    assert.doesNotMatch(await render(text, reader([])), /After/);
  });

  it('is rendered for its place', async () => {
    const text = `kept [here](page.md) ${COMMIT} #3 :smile: :own:`;
    const elsewhere = inRepository(undefined, { repository: { owner: 'bob', name: 'other' } });
    const emoji = inRepository(undefined, { settings: { customEmoji: new Set(['own']) } });
    assert.match(await render(text), /href="\/alice\/demo\/issues\/3"/);
    assert.match(await render(text, elsewhere), /href="\/bob\/other\/issues\/3"/);
    assert.match(await render(text, emoji), /emoji\/own\.png/);
    assert.doesNotMatch(await render(text), /emoji\/own\.png/);
    assert.match(await render(text, inRepository(undefined, { absoluteLinks: true })), /href="https:\/\/host\/alice/);
    assert.doesNotMatch(await render(text, inRepository(undefined, { lookups: {} })), /commit/);
  });

  it('is not changed by who had it first', async () => {
    const file = inRepository({ kind: 'file', ref: 'branch/main', folder: '' });
    const first = await renderMarkdownDocument('# Kept heading', file);
    first.headings.pop();
    assert.equal((await renderMarkdownDocument('# Kept heading', file)).headings.length, 1);
  });
});
