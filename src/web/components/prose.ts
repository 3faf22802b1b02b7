import { Html, html } from '../html.ts';

/** A text of people as markup that `markup/` has rendered and sanitized. Blocks that scroll can be reached by keys. */
export function prose(sanitized: string, className = ''): Html {
  const reachable = sanitized.replaceAll('<pre', '<pre tabindex="0"').replaceAll('<table', '<table tabindex="0"');
  return html`<div class="prose ${className}">${new Html(reachable)}</div>`;
}
