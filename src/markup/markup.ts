import type { MarkupContext, MarkupRequest, MarkupSettings } from './context.ts';
import type { FoundNames } from './references.ts';
import type { Rendered } from './render.ts';
import type { ShortText } from './short.ts';

// The parsers behind these functions take a tenth of a second to load, so each is loaded when it is first called.

/** Renders Markdown as sanitized HTML with links, mentions and references, see render.ts. */
export async function renderMarkdown(text: string, context: MarkupContext): Promise<string> {
  return (await import('./render.ts')).renderMarkdown(text, context);
}

/** As renderMarkdown, with the headings and where their list goes. */
export async function renderMarkdownDocument(text: string, context: MarkupContext): Promise<Rendered> {
  return (await import('./render.ts')).renderMarkdownDocument(text, context);
}

/** Renders Markdown without any context, as `/markdown/raw` answers it. */
export async function renderMarkdownRaw(text: string, settings?: MarkupSettings): Promise<string> {
  return (await import('./render.ts')).renderMarkdownRaw(text, settings);
}

/** Renders as `/markup` and `/markdown` answer it, see request.ts. @throws UnrenderableError */
export async function renderRequest(request: MarkupRequest, known: Omit<MarkupContext, 'place' | 'absoluteLinks'>): Promise<string> {
  return (await import('./request.ts')).renderRequest(request, known);
}

/** Renders the text of a file by its kind; undefined when its kind (see file-kind.ts) has no rendering. */
export async function renderFile(text: string, path: string, context: MarkupContext): Promise<Rendered | undefined> {
  return (await import('./file.ts')).renderFile(text, path, context);
}

/** Renders a title, a commit message or another plain text, see short.ts. */
export async function renderShortText(text: string, kind: ShortText, context: MarkupContext, link?: string): Promise<string> {
  return (await import('./short.ts')).renderShortText(text, kind, context, link);
}

/** Renders the description of a repository. */
export async function renderDescription(text: string, context: MarkupContext): Promise<string> {
  return (await import('./short.ts')).renderDescription(text, context);
}

/** Finds the users and issues that a Markdown text names, see references.ts. */
export async function findInMarkdown(markdown: string, rootUrl: string, settings?: MarkupSettings): Promise<FoundNames> {
  return (await import('./references.ts')).findInMarkdown(markdown, rootUrl, settings);
}

/** Finds the users and issues that a plain text, such as a commit message, names. */
export async function findInText(text: string, rootUrl: string, settings?: MarkupSettings): Promise<FoundNames> {
  return (await import('./references.ts')).findInText(text, rootUrl, settings);
}
