import type { OrgDocument } from './document.ts';

/** What the line of a headline says. */
export interface Headline {
  status: string;
  priority: string;
  comment: boolean;
  tags: string[];
  title: string;
}

/** Reads `TODO [#A] COMMENT Title :tags:`, all but the title optional. */
export function readHeadline(text: string, document: OrgDocument): Headline {
  const words = (document.settings.get('TODO') ?? '').split(/[\s|]+/).map((word) => word.replace(/\(.\)$/, ''));
  const first = text.split(/\s/, 1)[0] ?? '';
  const status = first && words.includes(first) && text.length > first.length ? first : '';
  let title = status ? text.slice(status.length + 1) : text;
  const priority = /^\[#([ABC])\]/.exec(title)?.[1] ?? '';
  if (priority) title = title.slice(4).trim();
  const comment = title.startsWith('COMMENT ');
  if (comment) title = title.slice(8);
  const tags = /\s+(:[\p{L}0-9_@#%:]+:)\s*$/u.exec(title.slice(-500));
  if (tags) title = title.slice(0, title.length - tags[0].length);
  return { status, priority, comment, tags: tags?.[1]?.split(':').filter(Boolean) ?? [], title };
}
