import { escapeHtml } from '../text/escape-html.ts';

/** Text as it is, for what cannot be rendered. */
export function plainText(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}
