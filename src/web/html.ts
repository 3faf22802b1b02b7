import { escapeHtml } from '../text/escape-html.ts';

/** Markup that is safe in a page: created by {@link html}, or sanitized by `markup/`. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

/** A template whose parts are escaped, unless they are markup themselves; lists are joined, undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  // Without an iterator: a page has thousands of parts.
  for (let index = 0; index < parts.length; index++) text += written(parts[index]) + strings[index + 1];
  return new Html(text);
}

function written(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part);
  if (part instanceof Html) return part.text;
  if (part === false || part === null || part === undefined) return '';
  if (!Array.isArray(part)) return escapeHtml(String(part));
  let text = '';
  for (const one of part) text += written(one);
  return text;
}
