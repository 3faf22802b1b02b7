import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, describe, it } from 'node:test';
import { findInMarkdown, renderFile, renderMarkdown, renderMarkdownRaw, renderShortText } from '../../src/markup/markup.ts';
import { plainText } from '../../src/markup/plain-text.ts';
import { WorkerPool } from '../../src/workers/pool.ts';
import { COMMIT, inRepository } from './support.ts';

const PIECE = `# Title\n\n@alice and @nobody see #1, ${COMMIT.slice(0, 10)} and <b>this</b>\n\n- [ ] task\n\n\`\`\`js\nlet a = 1;\n\`\`\`\n\n`;
/** Goes to a worker for its length, and costs little: deadlines are met on a busy machine too. */
const LARGE = `${PIECE}${'plain words\n'.repeat(800)}`;

const workers = new WorkerPool();
// What is loaded and compiled at first counts for the deadline of a text, which a busy machine may exceed.
before(async () => {
  await renderMarkdown(PIECE, inRepository());
  await renderMarkdown(LARGE, inRepository(undefined, { workers }));
  await renderFile(PIECE, 'x.org', inRepository());
});
after(() => workers.close());

describe('texts in workers', () => {
  it('are rendered as on the main thread, whatever they ask', async () => {
    const context = inRepository();
    assert.equal(await renderMarkdown(LARGE, { ...context, workers }), await renderMarkdown(LARGE, context));
    assert.equal(await renderShortText(LARGE, 'message', { ...context, workers }), await renderShortText(LARGE, 'message', context));
    assert.deepEqual(await renderFile(LARGE, 'x.org', { ...context, workers }), await renderFile(LARGE, 'x.org', context));
    assert.equal(await renderFile(LARGE, 'x.unknown', { ...context, workers }), undefined);
    const { rootUrl } = context;
    assert.equal(await renderMarkdownRaw(LARGE, { rootUrl, workers }), await renderMarkdownRaw(LARGE, { rootUrl }));
    assert.deepEqual(await findInMarkdown(LARGE, { rootUrl, workers }), await findInMarkdown(LARGE, { rootUrl }));
  });

  it('have titles of issues and previews of code from the main thread', async () => {
    const lookups = {
      issueTitles: () => new Map([['alice/demo#7', { title: 'A title' }]]),
      codePreviews: async () => new Map<string, string>(),
    };
    assert.match(await renderMarkdown(`- #7\n${LARGE}`, inRepository(undefined, { lookups, workers })), /A title \(#7\)/);
  });

  it('fail with the error of a lookup that failed, each for itself', async () => {
    const gone = new Error('gone');
    const failing = inRepository(undefined, { workers, lookups: { mentionable: () => Promise.reject(gone) } });
    await assert.rejects(renderMarkdown(LARGE, failing), (error) => error === gone);
    assert.match(await renderMarkdown(LARGE, inRepository(undefined, { workers })), /^<h1/);
  });

  it('block the main thread for moments only, however contrived they are', async () => {
    const repository = { owner: 'a', name: 'b', issueTracker: { format: 'x', style: 'regexp' as const, pattern: '(a+)+$' } };
    const endless = `${'a'.repeat(60)}!`;
    const heavy = `${'[a]('.repeat(100_000)}\n${'a**b'.repeat(100_000)}`;
    await renderMarkdown(LARGE, inRepository(undefined, { workers }));
    await renderMarkdown('x', inRepository(undefined, { workers }));
    const held = monitorEventLoopDelay({ resolution: 5 });
    held.enable();
    assert.equal(await renderMarkdown(endless, inRepository(undefined, { workers, repository })), plainText(endless));
    await renderMarkdown(heavy, inRepository(undefined, { workers }));
    held.disable();
    // On a main thread of its own, each of them would take its 800 ms.
    assert.ok(held.max < 600e6, `${held.max / 1e6} ms`);
  });
});
