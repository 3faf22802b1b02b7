import type { Context } from '../../context.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { html } from '../html.ts';
import type { Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { icon } from '../view.ts';
import { type Entry, instancePages, repositoryPages } from './entries.ts';
import { findIssues, findPlaces, repositoryAt } from './found.ts';
import { fuzzyScore } from './match.ts';
import { PALETTE_PATH } from './paths.ts';

/** Entries at a time. */
const MAX_ENTRIES = 20;
const MAX_TYPED = 100;
const MAX_PATH = 300;

/** What the palette (`Ctrl-K`) offers for the typed letters: the options of its list, for its script. `at` is the path of the page it was opened on. */
export const palettePages: readonly AnyRoute[] = plainPage({ path: `/${PALETTE_PATH}`, semaphore: 'searches', get: options });

async function options(visit: Visit, context: Context): Promise<HttpResponse> {
  const { view, fields, request } = visit;
  const q = (fields.get('q') ?? '').trim().slice(0, MAX_TYPED);
  const here = await repositoryAt(context, (fields.get('at') ?? '').slice(0, MAX_PATH), new URL(request.url));
  const pages = [...(here ? repositoryPages(view, context, here) : []), ...instancePages(view, context)];
  const entries =
    q === '' ? pages : [...(await findIssues(view, context, q, here)), ...ranked([...(await findPlaces(view, context, q)), ...pages], q)];
  const list = entries
    .slice(0, MAX_ENTRIES)
    .map(
      ({ icon: name, label, hint, href }, at) =>
        html`<li role="option" id="palette-${at}" aria-selected="${at === 0 ? 'true' : 'false'}" data-href="${href}">${icon(view, name)} <span>${label}</span> <span class="muted">${hint}</span></li>\n`,
    );
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'" };
  return raw(html`${list}`.text, 'text/html; charset=utf-8', { headers });
}

function ranked(entries: readonly Entry[], q: string): Entry[] {
  return entries
    .flatMap((entry) => {
      const score = fuzzyScore(entry.label, q) ?? fuzzyScore(`${entry.hint} ${entry.label}`, q);
      return score === undefined ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}
