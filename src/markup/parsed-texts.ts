import type { MarkupSettings } from './context.ts';
import { type ParsedMarkdown, parseMarkdown } from './markdown/markdown.ts';

/** Longer texts are read in workers, and those that become more than this take room from many others. */
const MAX_TEXT = 8192;
const MAX_HTML = 64 * 1024;
/** Characters of a generation, with the texts themselves. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Two generations: what is used moves to the young one; when that is full it becomes the old one, and the old one is forgotten. */
let young = new Map<string, ParsedMarkdown>();
let old = new Map<string, ParsedMarkdown>();
let characters = 0;

/**
 * {@link parseMarkdown}, which depends on its parameters alone and takes half of the time of a rendering. The texts of a conversation are read
 * for each of its readers.
 */
export function parseOnce(source: string, hardBreaks: boolean, settings: MarkupSettings | undefined): ParsedMarkdown {
  if (source.length > MAX_TEXT) return parseMarkdown(source, hardBreaks, settings);
  const key = `${JSON.stringify([hardBreaks, settings?.math, settings?.highlightMaxSize])}${source}`;
  const known = young.get(key);
  if (known) return known;
  const parsed = old.get(key) ?? parseMarkdown(source, hardBreaks, settings);
  if (parsed.html.length <= MAX_HTML) keep(key, parsed);
  return parsed;
}

function keep(key: string, parsed: ParsedMarkdown): void {
  characters += key.length + parsed.html.length;
  if (characters > MAX_CHARACTERS) {
    old = young;
    young = new Map();
    characters = key.length + parsed.html.length;
  }
  young.set(key, parsed);
}
