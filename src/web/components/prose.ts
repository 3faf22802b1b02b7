import { Html, html } from '../html.ts';
import type { View } from '../view.ts';

const BOX = '<input type="checkbox" disabled=""';

/** A text of people as markup that `markup/` has rendered and sanitized. Blocks that scroll can be reached by keys, boxes have a name. */
export function prose({ text }: Pick<View, 'text'>, sanitized: string, className = ''): Html {
  const reachable = sanitized.replaceAll('<pre', '<pre tabindex="0"').replaceAll('<table', '<table tabindex="0"');
  const named = reachable.replaceAll(BOX, html`${new Html(BOX)} aria-label="${text.timeline.task}"`.text);
  return html`<div class="prose ${className}">${new Html(named)}</div>`;
}
