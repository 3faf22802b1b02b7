import type { Context } from '../../../context.ts';
import type { FormFields } from '../../../http/bodies/fields.ts';
import { type Html, html } from '../../html.ts';
import { type Reply, seeOther } from '../../page.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import type { View } from '../../view.ts';
import { type LineRange, readRange } from '../source/line-range.ts';
import { diffAnchor } from './source.ts';

/** Lines of one side of a file. */
export interface MarkedLines extends LineRange {
  readonly anchor: string;
  readonly side: 'old' | 'new';
}

/** Files that the field suggests. */
const MAX_PROPOSED = 300;
const FIELD = 'line-of';
/** The lines that the page highlights: the anchor of a file, the side, and a range. */
const MARKED = 'lines';
/** A path and a line or a range; deleted lines have a minus. */
const PLACE = /^(.{1,4000}):(-?)(\d{1,7}(?:-\d{1,7})?)$/s;

/** Leads to a line or a range of a file. Numbers are not links, see `rows.ts`; a script follows clicks on them, and this is for keys and for who has none. */
export function lineField(view: View, fields: FormFields, paths: readonly string[]): Html {
  const { diff, source } = view.text;
  const kept = [...fields].filter(([name]) => name !== FIELD && name !== MARKED);
  return html`<form class="line-form row" action="${pathOf(view)}">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input name="${FIELD}" required list="diff-paths" size="16" autocomplete="off" placeholder="${diff.lineExample}" title="${diff.lineHint}" aria-label="${source.goToLine}" data-key="l"><button>${source.goToLine}</button>
<datalist id="diff-paths">${paths.slice(0, MAX_PROPOSED).map((path) => html`<option value="${path}:1"></option>`)}</datalist></form>`;
}

/** A diff page, or the redirect to the requested line. */
export function leadingToLines(page: (visit: RepositoryVisit, context: Context) => Promise<Reply>): typeof page {
  return async (visit, context) => {
    const { view, fields } = visit;
    const place = PLACE.exec((fields.get(FIELD) ?? '').trim());
    if (!place) return page(visit, context);
    const [, path = '', minus = '', lines] = place;
    const range = readRange(lines);
    if (!range) return page(visit, context);
    const kept = new URLSearchParams([...fields].filter(([name]) => name !== FIELD && name !== MARKED));
    const side = `${diffAnchor(path)}${minus ? 'L' : 'R'}`;
    if (range.to > range.from) kept.set(MARKED, `${side}${range.from}-${range.to}`);
    return seeOther(context, `${pathOf(view).slice(view.root.length)}${kept.size > 0 ? `?${kept}` : ''}#${side}${range.from}`);
  };
}

/** The range that the query of a page highlights; a fragment cannot name several lines without a script. */
export function markedLines(fields: FormFields): MarkedLines | undefined {
  const [, anchor = '', side, lines] = /^(diff-[0-9a-f]{40})([LR])([\d-]+)$/.exec(fields.get(MARKED) ?? '') ?? [];
  const range = readRange(lines);
  return range && { ...range, anchor, side: side === 'L' ? 'old' : 'new' };
}

const pathOf = ({ here }: View): string => here.split('?', 1)[0] ?? '';
