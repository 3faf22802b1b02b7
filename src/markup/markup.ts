import type { MarkupContext } from './context.ts';
import { dispatch } from './dispatch.ts';
import type { FoundNames } from './references.ts';
import type { Rendered } from './rendered.ts';
import type { ShortText } from './short.ts';

/** What parsing a text depends on when it has no origin. */
export type Surroundings = Pick<MarkupContext, 'rootUrl' | 'settings' | 'workers'>;

/** Renders Markdown as sanitized HTML with links, mentions and references, see render.ts. */
export async function renderMarkdown(text: string, context: MarkupContext): Promise<string> {
  return (await renderMarkdownDocument(text, context)).html;
}

/** As renderMarkdown, with the headings and where their list goes. */
export function renderMarkdownDocument(text: string, context: MarkupContext): Promise<Rendered> {
  return dispatch('document', text, context, undefined);
}

/** Renders Markdown without any context, as for `/markdown/raw`. */
export function renderMarkdownRaw(text: string, surroundings: Surroundings): Promise<string> {
  return dispatch('raw', text, placeless(surroundings), undefined);
}

/** Renders the text of a file by its kind; undefined when its kind (see file-kind.ts) has no rendering. */
export function renderFile(text: string, path: string, context: MarkupContext): Promise<Rendered | undefined> {
  return dispatch('file', text, context, path);
}

/** Renders a title, a commit message or another plain text, see short.ts. */
export function renderShortText(text: string, kind: ShortText, context: MarkupContext, link?: string): Promise<string> {
  return dispatch('short', text, context, { kind, link });
}

/** Renders the description of a repository. */
export function renderDescription(text: string, context: MarkupContext): Promise<string> {
  return dispatch('description', text, context, undefined);
}

/** Finds the users and issues that a Markdown text names, see references.ts. */
export function findInMarkdown(markdown: string, surroundings: Surroundings): Promise<FoundNames> {
  return dispatch('namesInMarkdown', markdown, placeless(surroundings), undefined);
}

/** Finds the users and issues that a plain text, such as a commit message, names. */
export function findInText(text: string, surroundings: Surroundings): Promise<FoundNames> {
  return dispatch('namesInText', text, placeless(surroundings), undefined);
}

function placeless({ rootUrl, settings, workers }: Surroundings): MarkupContext {
  return { rootUrl, settings, workers, absoluteLinks: false, origin: { kind: 'document', base: '' } };
}
