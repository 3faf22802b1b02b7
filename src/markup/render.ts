import { ask, gatherQuestions, isAsking } from './ask.ts';
import { contentsList } from './contents-list.ts';
import type { MarkupContext } from './context.ts';
import { RENDER_DEADLINE, RenderLimitError, weight, withDeadline } from './deadline.ts';
import { escapeHtml } from './html/escape.ts';
import { sanitize } from './html/sanitizer.ts';
import { sanitizeStream } from './html/stream.ts';
import { parseHtml } from './html/tree.ts';
import { type ParsedMarkdown, parseMarkdown } from './markdown/markdown.ts';
import { type Heading, processTree } from './process.ts';
import { TextState } from './text/state.ts';

/** No text longer than this many characters is rendered; it is answered as plain text. */
export const MAX_RENDER_LENGTH = 1_000_000;

/** A rendered text. */
export interface Rendered {
  /** Sanitized HTML. */
  html: string;
  /** Its headings, in order; empty unless the place gives headings anchors. */
  headings: Heading[];
  /** Where a page should show the table of contents; `main` means that `html` begins with it. */
  contents: ParsedMarkdown['contents'];
}

/**
 * Renders Markdown as sanitized HTML, with links, mentions and references as the context allows. Text that is too long, or nested or
 * contrived so that it takes too long, comes back as escaped plain text; nothing a text contains makes it throw.
 */
export async function renderMarkdown(text: string, context: MarkupContext): Promise<string> {
  return (await renderMarkdownDocument(text, context)).html;
}

/** As renderMarkdown, with what a page shows beside the text. */
export function renderMarkdownDocument(text: string, context: MarkupContext): Promise<Rendered> {
  const hardBreaks = context.place.kind === 'comment' && (context.settings?.breaksInComments ?? true);
  return renderSource(text, context, () => parseMarkdown(text, hardBreaks, context.settings));
}

/** Renders Markdown without any context: no references, links as written, no classes. */
export function renderMarkdownRaw(text: string, settings?: MarkupContext['settings']): string {
  return orPlain(text, () =>
    withDeadline(weight(text), RENDER_DEADLINE, () => {
      const { html } = parseMarkdown(text, false, settings);
      return sanitizeStream(html, { classes: false, urlSchemes: settings?.urlSchemes });
    }),
  );
}

/** From this many characters on, texts are rendered one after the other, so that not many of their trees wait for answers at once. */
const LARGE_LENGTH = 65_536;

let turn: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

/** Runs the steps that follow a parser: HTML is parsed, questions are asked, links are made, all is sanitized. */
export function renderSource(text: string, context: MarkupContext, parse: () => ParsedMarkdown): Promise<Rendered> {
  if (text.length > MAX_RENDER_LENGTH) return Promise.resolve({ html: plainText(text), headings: [], contents: 'none' });
  const render = () => renderNow(text, context, parse);
  return text.length < LARGE_LENGTH ? render() : inTurn(render);
}

async function renderNow(text: string, context: MarkupContext, parse: () => ParsedMarkdown): Promise<Rendered> {
  const start = performance.now();
  let waited = 0;
  try {
    const state = new TextState(context);
    // Nothing bounds what a tracker's own pattern takes.
    const least = state.trackerPattern ? Number.POSITIVE_INFINITY : text.length;
    const { tree, contents, questions } = withDeadline(Math.max(least, weight(text)), RENDER_DEADLINE, () => {
      const parsed = parse();
      const tree = parseHtml(escapeForbiddenTags(parsed.html), true);
      return { tree, contents: parsed.contents, questions: gatherQuestions(tree, state) };
    });
    if (isAsking(questions)) {
      const asked = performance.now();
      await ask(questions, state);
      waited = performance.now() - asked;
    }
    const left = RENDER_DEADLINE - (performance.now() - start - waited);
    return withDeadline(least, left, () => {
      const headings = processTree(tree, state);
      const html = sanitize(tree, { classes: true, urlSchemes: context.settings?.urlSchemes });
      const list = contents === 'main' && headings.length ? contentsList(headings) : '';
      return { html: list + html, headings, contents };
    });
  } catch (error) {
    if (error instanceof RenderLimitError || error instanceof RangeError) return { html: plainText(text), headings: [], contents: 'none' };
    throw error;
  }
}

function orPlain(text: string, render: () => string): string {
  if (text.length > MAX_RENDER_LENGTH) return plainText(text);
  try {
    return render();
  } catch (error) {
    if (error instanceof RenderLimitError || error instanceof RangeError) return plainText(text);
    throw error;
  }
}

/** Text as it is, for what cannot be rendered. */
export function plainText(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}

/** Tags that make no sense in a body are shown instead of read: `<script>`, `<style>`, `<html>`, `<?…`, `<a/b`. NULs are dropped. */
function escapeForbiddenTags(html: string): string {
  return html.replaceAll('\0', '').replace(/<(\/?\w+\/\w+|\/[\w ]+\/|\/?(?:html|head|script|style|%|\?)\b)/gi, '&lt;$1');
}
