import { escapeHtml } from '../../text/escape-html.ts';

/** What comes before and after the links of a list (PEP 503). */
export function pageAround(name: string): readonly [start: string, end: string] {
  const title = `Links for ${escapeHtml(name)}`;
  return [`<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<h1>${title}</h1>\n`, '</body>\n</html>\n'];
}

/** A list as a page. */
export function htmlPage(name: string, links: readonly string[]): string {
  const [start, end] = pageAround(name);
  return start + links.join('') + end;
}

/** A link of a list, with the attributes that have a value. */
export function anchor(href: string, text: string, attributes: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const written = given.map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`).join('');
  return `<a href="${escapeMarkup(href.replace(/%21/g, '!'))}"${written}>${escapeMarkup(text)}</a><br>\n`;
}

/** Also the plus sign of local versions, for clients that compare the lines with those of Gitea. */
function escapeMarkup(text: string): string {
  return escapeHtml(text).replaceAll('+', '&#43;');
}
