import { escapeHtml } from '../../text/escape-html.ts';

/** A piece of a line: text, or a link. */
export type Part = string | { url: string; text: string };

/** The text and link format of a service. User content goes through `text`, so that it cannot become markup. */
export interface Format {
  text: (text: string) => string;
  link: (url: string, text: string) => string;
}

/** No links, only their texts. */
export const PLAIN: Format = { text: (text) => text, link: (_, text) => text };

/** HTML, as Matrix takes it. */
export const HTML: Format = {
  text: escapeHtml,
  link: (url, text) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`,
};

/** A line in the form of a service. */
export function written(parts: readonly Part[], format: Format): string {
  return parts.map((part) => (typeof part === 'string' ? format.text(part) : format.link(part.url, part.text))).join('');
}

/** A list of parts with commas between them. */
export function listed(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]));
}
