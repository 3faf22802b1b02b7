import type { AnyRoute } from '../../http/route.ts';
import { html } from '../html.ts';
import { plainPage } from '../resource-pages.ts';
import { SHORTCUTS_PATH } from './paths.ts';

const KEYS = ['Ctrl K', '/', '?', 'j', 'k', 'o', 'Ctrl Enter', 'Escape'] as const;

/** The keys that work everywhere, as a page; a script shows it over the current page, with the keys of that. */
export const shortcutPages: readonly AnyRoute[] = plainPage({
  path: `/${SHORTCUTS_PATH}`,
  get: async ({ view }) => {
    const { palette: text } = view.text;
    const rows = KEYS.map((key) => html`<dt>${key.split(' ').map((part) => html`<kbd>${part}</kbd> `)}</dt><dd>${text.keys[key]}</dd>`);
    return {
      title: text.shortcuts,
      body: html`<dl class="shortcuts" data-page="${text.onThisPage}" data-close="${text.close}">${rows}</dl>`,
    };
  },
});
