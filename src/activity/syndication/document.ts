import { now } from '../../clock.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { escapeXml } from '../../text/escape-xml.ts';

/** The two formats of feeds: RSS 2.0 (https://www.rssboard.org/rss-specification) and Atom (RFC 4287). */
export type FeedType = 'rss' | 'atom';

/** An entry of a feed. Titles are text; summary and content are HTML. */
export interface FeedItem {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly summary: string;
  readonly content: string;
  /** Seconds since 1970. */
  readonly time: number;
}

/** The author of an item, by the login. */
export function feedAuthor({ login = '', email = '' }: { login?: string; email?: string }): FeedItem['author'] {
  return { name: login, email };
}

/** A feed, the latest item first. */
export interface FeedDocument {
  readonly title: string;
  readonly link: string;
  readonly description: string;
  readonly items: readonly FeedItem[];
}

const TYPES = { rss: 'application/rss+xml;charset=utf-8', atom: 'application/atom+xml;charset=utf-8' } as const;

/** The latest second that both formats can write, in the year 9999. */
const MAX_SECONDS = 253_402_300_799;

/** A feed as a response, in the elements and the order that Gitea writes. */
export function feedResponse(type: FeedType, feed: FeedDocument): HttpResponse {
  return raw(`<?xml version="1.0" encoding="UTF-8"?>${type === 'atom' ? atom(feed) : rss(feed)}`, TYPES[type]);
}

/** The format that a path names. */
export function feedTypeOf(word: string): FeedType {
  return word === 'atom' ? 'atom' : 'rss';
}

function rss({ title, link, description, items }: FeedDocument): string {
  const written = items.map(
    (item) => `
    <item>
      ${element('title', item.title)}
      ${element('link', item.link)}
      ${element('description', item.summary)}${item.content && `\n      ${element('content:encoded', item.content)}`}
      ${element('author', item.author.name)}
      <guid isPermaLink="false">${escapeXml(item.id)}</guid>
      ${element('pubDate', rssTime(item.time))}
    </item>`,
  );
  return `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
  <channel>
    ${element('title', title)}
    ${element('link', link)}
    ${element('description', description)}
    ${element('pubDate', rssTime(now()))}${written.join('')}
  </channel>
</rss>
`;
}

function atom({ title, link, description, items }: FeedDocument): string {
  const written = items.map(
    (item) => `
  <entry>
    ${element('title', item.title)}
    ${element('updated', atomTime(item.time))}
    ${element('id', item.id)}${item.content && `\n    <content type="html">${escapeXml(item.content)}</content>`}
    <link href="${escapeXml(item.link)}" rel="alternate"></link>${item.summary && `\n    <summary type="html">${escapeXml(item.summary)}</summary>`}
    <author>
      ${element('name', item.author.name)}
      ${element('email', item.author.email)}
    </author>
  </entry>`,
  );
  return `<feed xmlns="http://www.w3.org/2005/Atom">
  ${element('title', title)}
  ${element('id', link)}
  ${element('updated', atomTime(now()))}
  ${description && element('subtitle', description)}
  <link href="${escapeXml(link)}"></link>${written.join('')}
</feed>
`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function dateOf(seconds: number): Date {
  return new Date(Math.min(Math.max(seconds, 0), MAX_SECONDS) * 1000);
}

/** RFC 822, with a year of four digits. */
function rssTime(seconds: number): string {
  return dateOf(seconds).toUTCString().replace('GMT', '+0000');
}

/** RFC 3339. */
function atomTime(seconds: number): string {
  return dateOf(seconds).toISOString().replace('.000Z', 'Z');
}
