import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { SETTINGS_TABLE } from '../../settings/table.ts';
import { printableSettings } from '../../settings/views.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { adminSection } from './area.ts';
import { table } from './frame.ts';

/** Characters of a value that are shown. */
const MAX_VALUE = 500;

/** The settings that the instance runs with, without secrets. They are changed in its settings file, or its environment. */
export const configurationPages: readonly AnyRoute[] = adminSection('configuration').pages({ show });

async function show({ view }: Visit, { settings }: Context): Promise<Html> {
  const { owners: text } = view.text;
  const values = Object.entries(printableSettings(settings));
  return html`<p>${text.configurationHint}</p>${Object.entries(SETTINGS_TABLE).map(([group, { title }]) => {
    const rows = values
      .filter(([name]) => name.startsWith(`${group}.`))
      .map(([name, value]) => html`<tr><td><code>${name}</code></td><td><code>${shown(value)}</code></td></tr>`);
    return html`<h2>${title}</h2>${table(title, [text.setting, text.value], rows)}`;
  })}`;
}

function shown(value: unknown): string {
  if (value === null || value === '') return '–';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_VALUE);
}
