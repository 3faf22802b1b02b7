import { escapeHtml } from '../text/escape-html.ts';
import type { MarkupContext } from './context.ts';
import { RENDER_DEADLINE, RenderLimitError, withDeadline } from './deadline.ts';
import { fileKind } from './file-kind.ts';
import { renderConsole } from './files/console.ts';
import { renderCsv } from './files/csv.ts';
import { LinkResolver } from './links.ts';
import { parseOrg } from './org/org.ts';
import { plainText } from './plain-text.ts';
import { MAX_RENDER_LENGTH, renderMarkdownDocument, renderSource } from './render.ts';
import type { Rendered } from './rendered.ts';
import { escapeSegment } from './url.ts';

/** Renders the text of a file by its kind; undefined when it has no rendering. The HTML is safe in any page. */
export async function renderFile(text: string, path: string, context: MarkupContext): Promise<Rendered | undefined> {
  switch (fileKind(path, text)) {
    case 'markdown':
      return renderMarkdownDocument(text, context);
    case 'org':
      return renderSource(text, context, () => ({ html: parseOrg(text, context.settings?.highlightMaxSize), contents: 'none' }));
    case 'csv':
      return generated(text, context, () => renderCsv(text, path, new LinkResolver(context).resolve(`/:raw/${fileName(path)}`, 'raw')));
    case 'console':
      return generated(text, context, () => renderConsole(text));
    case 'asciicast':
      return generated(text, context, () => asciicast(path, context));
    case undefined:
      return undefined;
  }
}

/** HTML that only our own code wrote, every text in it escaped. */
function generated(text: string, { patience }: MarkupContext, render: () => string): Rendered {
  const rendered: Rendered = { html: '', headings: [], contents: 'none' };
  if (text.length > MAX_RENDER_LENGTH) return { ...rendered, html: plainText(text) };
  try {
    return { ...rendered, html: withDeadline(text.length, patience ?? RENDER_DEADLINE, render) };
  } catch (error) {
    if (error instanceof RenderLimitError && patience === undefined) return { ...rendered, html: plainText(text) };
    throw error;
  }
}

const fileName = (path: string): string => escapeSegment(path.slice(path.lastIndexOf('/') + 1));

/** A placeholder for the page's player of terminal recordings (https://docs.asciinema.org/manual/asciicast/v2/). */
function asciicast(path: string, { rootUrl, repository, origin }: MarkupContext): string {
  const root = new URL(rootUrl).pathname;
  const ref = origin.kind === 'file' ? origin.ref : '';
  const segments = [repository?.owner ?? '', repository?.name ?? '', 'raw', ...ref.split('/'), ...path.split('/').map(escapeSegment)];
  return `<div class="asciinema-player-container" data-asciinema-player-src="${escapeHtml(root + segments.join('/'))}"></div>`;
}
