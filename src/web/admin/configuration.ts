import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Setting } from '../../settings/setting.ts';
import { SETTINGS_TABLE } from '../../settings/table.ts';
import { printableSettings } from '../../settings/views.ts';
import { bytes, duration, number } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import type { View } from '../view.ts';
import { adminSection } from './area.ts';
import { table } from './frame.ts';

/** Length limit of a value in characters. */
const MAX_VALUE = 500;

/** The settings of the instance, without secrets. They are changed in its settings file or its environment. */
export const configurationPages: readonly AnyRoute[] = adminSection('configuration').pages({ show });

async function show({ view }: Visit, { settings }: Context): Promise<Html> {
  const { owners: text } = view.text;
  const values = printableSettings(settings);
  return html`<p>${text.configurationHint}</p>${Object.entries(SETTINGS_TABLE).map(([group, { title, settings: rows }]) => {
    const shown = Object.entries<Setting>(rows).map(([key, setting]) => {
      const name = `${group}.${key}`;
      return html`<tr><td><code>${name}</code></td><td>${shownValue(view, setting, values[name])}</td></tr>`;
    });
    return html`<h2>${title}</h2>${table(title, [text.setting, text.value], shown)}`;
  })}`;
}

/** Times and sizes in readable units, with the number itself as title. */
function shownValue(view: View, { kind: { unit } }: Setting, value: unknown): Html {
  if (value === null || value === '') return html`–`;
  if (typeof value !== 'number' || unit === undefined)
    return html`<code>${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_VALUE)}</code>`;
  if (value === -1) return html`<span title="-1">${view.text.owners.noLimit}</span>`;
  if (unit === 'milliseconds') return html`<span title="${value} ms">${duration(view, value)}</span>`;
  return unit === 'bytes' ? html`<span title="${value} B">${bytes(view, value)}</span>` : html`${number(view, value)}`;
}
