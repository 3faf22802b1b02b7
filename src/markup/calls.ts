import type { MarkupContext } from './context.ts';
import { renderFile } from './file.ts';
import { findInMarkdown, findInText } from './references.ts';
import { renderMarkdownDocument, renderMarkdownRaw } from './render.ts';
import { renderDescription, renderShortText, type ShortText } from './short.ts';

/** The operations on a text, on this thread or in a worker: all input is in the context and in `detail`. */
export const CALLS = {
  document: (text: string, context: MarkupContext, _detail: undefined) => renderMarkdownDocument(text, context),
  raw: async (text: string, { settings, patience }: MarkupContext, _detail: undefined) => renderMarkdownRaw(text, settings, patience),
  file: (text: string, context: MarkupContext, path: string) => renderFile(text, path, context),
  short: (text: string, context: MarkupContext, { kind, link }: { kind: ShortText; link: string | undefined }) =>
    renderShortText(text, kind, context, link),
  description: async (text: string, context: MarkupContext, _detail: undefined) => renderDescription(text, context),
  namesInMarkdown: async (text: string, { rootUrl, settings, patience }: MarkupContext, _detail: undefined) =>
    findInMarkdown(text, rootUrl, settings, patience),
  namesInText: async (text: string, { rootUrl, settings, patience }: MarkupContext, _detail: undefined) =>
    findInText(text, rootUrl, settings, patience),
};

/** The calls by name. */
export type Calls = typeof CALLS;
/** The argument of a call besides the text and the context. */
export type Detail<Name extends keyof Calls> = Parameters<Calls[Name]>[2];
/** The result of a call. */
export type Result<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;
