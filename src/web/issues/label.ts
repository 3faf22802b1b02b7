import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import type { ShownLabel } from './shown.ts';

/** The colour of a label as a dot: names stay readable in every theme, whatever colour people choose. */
export function labelDot(color: string): Html {
  return html`<svg class="label-dot" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4.5" fill="#${color}"/></svg>`;
}

/** A label. @param href its link, such as the issues that have it */
export function labelChip(_view: View, { name, color, description, is_archived: isArchived }: ShownLabel, href?: string): Html {
  const slash = name.lastIndexOf('/');
  const scoped = slash > 0 && slash < name.length - 1;
  const text = scoped ? html`<span class="muted">${name.slice(0, slash)}</span>/${name.slice(slash + 1)}` : name;
  const body = html`${labelDot(color)} <span>${text}</span>`;
  const className = `label${isArchived ? ' archived' : ''}`;
  if (href === undefined) return html`<span class="${className}" title="${description || null}">${body}</span>`;
  return html`<a class="${className}" href="${href}" title="${description || null}">${body}</a>`;
}
