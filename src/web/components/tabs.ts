import type { IconName } from '../assets/icon-names.ts';
import { type Html, html } from '../html.ts';
import { icon, type View } from '../view.ts';
import { number } from './numbers.ts';

/** One of several pages that belong together. */
export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly icon?: IconName;
  /** A number beside the label; nothing for 0. */
  readonly count?: number | undefined;
  readonly isCurrent: boolean;
  /** Its keyboard shortcut, such as `g i`. */
  readonly keys?: string | undefined;
}

/** Links to related pages; the current one is marked. */
export function tabs(view: View, label: string, items: readonly (Tab | false | undefined)[]): Html {
  const shown = items.filter((item) => item !== false && item !== undefined);
  return html`<nav class="tabs" aria-label="${label}">${shown.map(
    (
      tab,
    ) => html`<a href="${tab.href}"${tab.isCurrent && html` aria-current="page"`}${tab.keys !== undefined && html` data-key="${tab.keys}"`}>${tab.icon && icon(view, tab.icon)} ${tab.label}
${tab.count ? html`<span class="count">${number(view, tab.count)}</span>` : false}</a>`,
  )}</nav>`;
}
