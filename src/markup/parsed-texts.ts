import type { MarkupSettings } from './context.ts';
import { type ParsedMarkdown, parseMarkdown } from './markdown/markdown.ts';
import { parsedTexts } from './text-caches.ts';

/** Longer texts are read in workers, and those that become more than this take room from many others. */
const MAX_TEXT = 8192;
const MAX_HTML = 64 * 1024;

/**
 * {@link parseMarkdown}, which depends on its parameters alone and takes half of the time of a rendering. The texts of a conversation are read
 * for each of its readers.
 */
export function parseOnce(source: string, hardBreaks: boolean, settings: MarkupSettings | undefined): ParsedMarkdown {
  if (source.length > MAX_TEXT) return parseMarkdown(source, hardBreaks, settings);
  const key = `${JSON.stringify([hardBreaks, settings?.math, settings?.highlightMaxSize])}${source}`;
  const known = parsedTexts.get(key);
  if (known) return known;
  const parsed = parseMarkdown(source, hardBreaks, settings);
  if (parsed.html.length <= MAX_HTML) parsedTexts.set(key, parsed);
  return parsed;
}
