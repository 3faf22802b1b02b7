import { contentsList } from './contents-list.ts';
import type { MarkupContext } from './context.ts';
import { RENDER_DEADLINE, RenderLimitError, withDeadline } from './deadline.ts';
import { sanitize } from './html/sanitizer.ts';
import { sanitizeStream } from './html/stream.ts';
import { parseHtml } from './html/tree.ts';
import { type ParsedMarkdown, parseMarkdown } from './markdown/markdown.ts';
import { parseOnce } from './parsed-texts.ts';
import { plainText } from './plain-text.ts';
import { processTree } from './process.ts';
import type { Rendered } from './rendered.ts';
import { cachedRendering, cacheRendering, renderingKey } from './rendered-texts.ts';
import { gatherLookups, hasLookups, runLookups } from './run-lookups.ts';
import { TextState } from './text/state.ts';

/** No text longer than this many characters is rendered; it is sent as plain text. */
export const MAX_RENDER_LENGTH = 1_000_000;

/**
 * Renders Markdown as sanitized HTML, with links, mentions and references as the context allows. Text that is too long, or nested or
 * contrived so that it takes too long, comes back as escaped plain text; nothing a text contains makes it throw.
 */
export async function renderMarkdown(text: string, context: MarkupContext): Promise<string> {
  return (await renderMarkdownDocument(text, context)).html;
}

/** As renderMarkdown, with what a page shows beside the text. */
export async function renderMarkdownDocument(text: string, context: MarkupContext): Promise<Rendered> {
  const key = renderingKey(text, context);
  const kept = key === undefined ? undefined : await cachedRendering(key, context);
  if (kept) return kept;
  const hardBreaks = context.origin.kind === 'comment' && (context.settings?.breaksInComments ?? true);
  return renderSource(text, context, () => parseOnce(text, hardBreaks, context.settings), key);
}

/** Renders Markdown without any context: no references, links as written, no classes. */
export function renderMarkdownRaw(text: string, settings?: MarkupContext['settings'], patience?: number): string {
  if (text.length > MAX_RENDER_LENGTH) return plainText(text);
  try {
    return withDeadline(text.length, patience ?? RENDER_DEADLINE, () => {
      const { html } = parseMarkdown(text, false, settings);
      return sanitizeStream(html, { classes: false, urlSchemes: settings?.urlSchemes });
    });
  } catch (error) {
    return plainOf(text, error, patience);
  }
}

/**
 * Runs the steps that follow a parser: HTML is parsed, lookups run, links are made, all is sanitized.
 * @param key what the rendering is kept by; it is not when left out
 */
export async function renderSource(text: string, context: MarkupContext, parse: () => ParsedMarkdown, key?: string): Promise<Rendered> {
  if (text.length > MAX_RENDER_LENGTH) return { html: plainText(text), headings: [], contents: 'none' };
  const deadline = context.patience ?? RENDER_DEADLINE;
  const start = performance.now();
  let waited = 0;
  try {
    const state = new TextState(context);
    // Nothing bounds what a tracker's own pattern takes.
    const least = state.trackerPattern ? Number.POSITIVE_INFINITY : text.length;
    const { tree, contents, pending } = withDeadline(least, deadline, () => {
      const parsed = parse();
      const tree = parseHtml(escapeForbiddenTags(parsed.html), true);
      return { tree, contents: parsed.contents, pending: gatherLookups(tree, state) };
    });
    if (hasLookups(pending)) {
      const started = performance.now();
      await runLookups(pending, state);
      waited = performance.now() - started;
    }
    const left = deadline - (performance.now() - start - waited);
    const rendered = withDeadline(least, left, () => {
      const headings = processTree(tree, state);
      const html = sanitize(tree, { classes: true, urlSchemes: context.settings?.urlSchemes });
      const list = contents === 'main' && headings.length ? contentsList(headings) : '';
      return { html: list + html, headings, contents };
    });
    if (key !== undefined) cacheRendering(key, rendered, pending, state);
    return rendered;
  } catch (error) {
    return { html: plainOf(text, error, context.patience), headings: [], contents: 'none' };
  }
}

/** The text in place of what an error kept from being rendered. */
function plainOf(text: string, error: unknown, patience: number | undefined): string {
  const isOutOfTime = error instanceof RenderLimitError && patience === undefined;
  if (isOutOfTime || error instanceof RangeError) return plainText(text);
  throw error;
}

/** Tags that make no sense in a body are shown instead of read: `<script>`, `<style>`, `<html>`, `<?…`, `<a/b`. NULs are dropped. */
function escapeForbiddenTags(html: string): string {
  return html.replaceAll('\0', '').replace(/<(\/?\w+\/\w+|\/[\w ]+\/|\/?(?:html|head|script|style|%|\?)\b)/gi, '&lt;$1');
}
