import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RenderLimitError, readingCode, unhurried, withDeadline } from '../../src/markup/deadline.ts';
import { renderFile } from '../../src/markup/file.ts';
import { guessDelimiter, readRecords } from '../../src/markup/files/csv.ts';
import { markdownTokens } from '../../src/markup/markdown/markdown.ts';
import { plainText } from '../../src/markup/plain-text.ts';
import { MAX_RENDER_LENGTH, renderMarkdown, renderMarkdownRaw } from '../../src/markup/render.ts';
import { processorTime } from '../support/processor-time.ts';
import { inRepository, render } from './support.ts';

const filled = (unit: string, length = 400_000) => unit.repeat(Math.floor(length / unit.length));
const numbered = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join('');

/** Shapes that cost parsers more than their length; each was slow in some library or pattern. */
const SHAPES: Record<string, string> = {
  quotes: filled('> '),
  lists: numbered(1000, (i) => `${' '.repeat(i * 2)}- x\n`),
  brackets: filled('['),
  links: filled('[a]('),
  emphasis: filled('*a_ '),
  underscores: filled('_a__b'),
  backticks: numbered(1400, (i) => `${'`'.repeat(i)} `),
  comments: filled('<!--'),
  elements: filled('<div>'),
  formatting: filled('<a><b>'),
  attributes: `<a ${numbered(50_000, (i) => `a${i}=1 `)}>`,
  cells: `${'|a'.repeat(5000)}\n${'|-'.repeat(5000)}\n${'|b\n'.repeat(5000)}`,
  addresses: filled('http://'),
  emails: filled('a.b+c'),
  double: filled('[[\n'),
  dollars: filled('${'),
  formulas: filled('$$\n'),
  footnotes: `${numbered(10_000, (i) => `[^${i}] `)}\n\n${numbered(10_000, (i) => `[^${i}]: x\n\n`)}`,
  code: `\`\`\`js\n${filled('a("', 90_000)}`,
  aliases: `---\na: &a [x,x]\n${numbered(30, (i) => `b${i}: &b${i} [${i ? `*b${i - 1},*b${i - 1}` : '*a'}]\n`)}---\nx`,
  front: `---\na: ${'['.repeat(30_000)}\n---\nx`,
  references: filled('a/b#1 '),
};

describe('bounds of markup', () => {
  it('nesting of any kind and depth is rendered, without throwing', async () => {
    for (const [open, close] of [
      ['<b>', '</b>'],
      ['<div>', '</div>'],
      ['> ', ''],
      ['- ', ''],
      ['[', '](x)'],
      ['**', '**'],
      ['<table><tr><td>', ''],
    ]) {
      const html = await render(`${open?.repeat(3000)}deep${close?.repeat(3000)}`);
      assert.match(html, /deep/);
      let depth = 0;
      let deepest = 0;
      for (const [tag] of html.matchAll(/<\/?[a-z][^>]*>/g)) {
        if (tag.startsWith('</')) depth--;
        else if (!tag.endsWith('/>')) depth++;
        deepest = Math.max(deepest, depth);
      }
      assert.ok(deepest <= 300, `${open} nests ${deepest} deep`);
    }
  });
  it('blocks nested deeper than the parser follows are shown as text', async () => {
    for (const mark of ['> ', '- ']) {
      const text = `${mark.repeat(3000)}deep`;
      assert.equal(await renderMarkdown(text, inRepository()), plainText(text));
      assert.equal(renderMarkdownRaw(text), plainText(text));
    }
  });
  it('code that takes long is stopped within a text that is too short to be watched', () => {
    const forever = () => {
      for (;;);
    };
    assert.throws(() => withDeadline(700, 30, () => readingCode('x'.repeat(600), forever)), RenderLimitError);
    // Once, also where the text is watched as a whole.
    assert.throws(() => withDeadline(70_000, 30, () => readingCode('x'.repeat(600), forever)), RenderLimitError);
    assert.equal(
      withDeadline(700, 5000, () => readingCode('x'.repeat(600), () => 'read')),
      'read',
    );
  });
  it('what is too long is sent as plain text', async () => {
    const html = await renderMarkdown(`<b>${'x'.repeat(MAX_RENDER_LENGTH)}`, inRepository());
    assert.ok(html.startsWith('<pre>&lt;b&gt;x') && html.endsWith('x</pre>'));
  });
  for (const [name, text] of Object.entries(SHAPES)) {
    it(`${name} of ${Math.round(text.length / 1000)} kB take less than a second`, async () => {
      const time = await processorTime(() => renderMarkdown(text, inRepository()));
      // The bound itself is 0.8 s.
      assert.ok(time < 1500, `${time} ms`);
    });
  }
  it('a tracker pattern that never ends is stopped and the text shown plainly', async () => {
    const context = {
      ...inRepository(),
      repository: { owner: 'a', name: 'b', issueTracker: { format: 'x', style: 'regexp' as const, pattern: '(a+)+$' } },
    };
    const text = `${'a'.repeat(60)}!`;
    const time = await processorTime(async () => assert.equal(await renderMarkdown(text, context), `<pre>${text}</pre>`));
    assert.ok(time < 1500, `${time} ms`);
  });
  it('small texts wait for no other', async () => {
    let asking = 0;
    const all = Promise.withResolvers<void>();
    const context = inRepository();
    context.lookups = {
      mentionable: async () => {
        if (++asking === 3) all.resolve();
        await all.promise;
        return [];
      },
    };
    await Promise.all([1, 2, 3].map(() => renderMarkdown('@a', context)));
  });
  it('a failed lookup fails its own text only', async () => {
    const failing = { ...inRepository(), lookups: { mentionable: () => Promise.reject(new Error('gone')) } };
    const large = `@a ${'x '.repeat(40_000)}`;
    await assert.rejects(renderMarkdown(large, failing), { message: 'gone' });
    assert.match(await renderMarkdown(large, inRepository()), /^<p/);
  });
  it('a deadline stops a regular expression', () => {
    assert.throws(() => withDeadline(10_000, 50, () => /(a+)+$/.test(`${'a'.repeat(40)}b`)), { name: 'RenderLimitError' });
    // Far more than these need: a busy machine may leave them without a processor for a while.
    assert.equal(
      withDeadline(10_000, 60_000, () => 3),
      3,
    );
    assert.throws(() => withDeadline(10_000, 60_000, () => assert.fail('own')), { message: 'own' });
  });
  it('work that got no processor in time is done again', async () => {
    let runs = 0;
    const done = await unhurried(() => {
      runs++;
      try {
        return withDeadline(10_000, 300, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600));
      } catch {
        return 'stopped';
      }
    });
    assert.deepEqual([done, runs], ['timed-out', 2]);
  });
  it('one line of many values, and many descriptions, take time by their length and not by its square', async () => {
    const values = await processorTime(() => assert.equal([...readRecords(','.repeat(1_000_000), ',')][0]?.length, 1_000_001));
    assert.ok(values < 8000, `${values} ms`);
    const guesses = await processorTime(() => assert.equal(guessDelimiter(' '.repeat(100_000)), ','));
    assert.ok(guesses < 8000, `${guesses} ms`);
    const descriptions = await processorTime(() => markdownTokens('a\n: b\n'.repeat(40_000), undefined));
    assert.ok(descriptions < 6000, `${descriptions} ms`);
  });
  it('files of values and of terminals take less than a second', async () => {
    for (const path of ['x.csv', 'x.tsv', 'x.sh-session']) {
      for (const unit of ['"', ',', 'a\n', '\x1b[31m', '\n\x1b[2000Cx', '\x1b[100A\n', '\x1b]']) {
        const time = await processorTime(() => renderFile(filled(unit), path, inRepository()));
        assert.ok(time < 1500, `${path} of ${JSON.stringify(unit)}: ${time} ms`);
      }
    }
  });
});
