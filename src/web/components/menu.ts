import { type Html, html } from '../html.ts';

/** A button that opens a list of links and forms. It works without scripts; with them it closes by itself. */
export function menu(label: Html | string, items: readonly (Html | false | undefined)[], options: { className?: string } = {}): Html {
  const shown = items.filter((item) => item !== false && item !== undefined);
  return html`<details class="menu ${options.className ?? ''}"><summary>${label}</summary>
<ul>${shown.map((item) => html`<li>${item}</li>`)}</ul></details>`;
}
