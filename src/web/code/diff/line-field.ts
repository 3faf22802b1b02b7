import type { Context } from '../../../context.ts';
import type { FormFields } from '../../../http/fields.ts';
import { type Html, html } from '../../html.ts';
import { type Reply, seeOther } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import type { View } from '../../view.ts';
import { diffAnchor } from './source.ts';

/** Files that the field proposes. */
const MAX_PROPOSED = 300;
const FIELD = 'line-of';
/** A path and a line; a removed one has a minus. */
const PLACE = /^(.{1,4000}):(-?)(\d{1,7})$/s;

/** Leads to a line of a file. Numbers are no links, see `rows.ts`; a script follows clicks on them, and this is for keys and for who has none. */
export function lineField(view: View, fields: FormFields, paths: readonly string[]): Html {
  const { diff, source } = view.text;
  const kept = [...fields].filter(([name]) => name !== FIELD);
  return html`<form class="line-form row" action="${pathOf(view)}">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input name="${FIELD}" required list="diff-paths" size="16" autocomplete="off" placeholder="${diff.lineExample}" title="${diff.lineHint}" aria-label="${source.goToLine}" data-key="l"><button>${source.goToLine}</button>
<datalist id="diff-paths">${paths.slice(0, MAX_PROPOSED).map((path) => html`<option value="${path}:1"></option>`)}</datalist></form>`;
}

/** A page of a difference, or the way to the line that is asked for. */
export function leadingToLines(page: (visit: RepositoryVisit, context: Context) => Promise<Reply>): typeof page {
  return async (visit, context) => {
    const { view, fields } = visit;
    const place = PLACE.exec((fields.get(FIELD) ?? '').trim());
    if (!place) return page(visit, context);
    const [, path = '', minus = '', line = ''] = place;
    const kept = new URLSearchParams([...fields].filter(([name]) => name !== FIELD));
    const anchor = `${diffAnchor(path)}${minus ? 'L' : 'R'}${Number(line)}`;
    return seeOther(context, `${pathOf(view).slice(view.root.length)}${kept.size > 0 ? `?${kept}` : ''}#${anchor}`);
  };
}

const pathOf = ({ here }: View): string => here.split('?', 1)[0] ?? '';
