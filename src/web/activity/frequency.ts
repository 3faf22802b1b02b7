import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { weekOf } from '../../git/history/tally.ts';
import { number } from '../components/numbers.ts';
import { barPlot } from '../components/plots.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import type { RepositoryVisit } from '../resource-pages.ts';
import type { View } from '../view.ts';
import { contributionsDocument } from './frame.ts';
import { barsOf, firstWeek, totalOf, weeksOfAll } from './weeks.ts';

const YEAR = 52;
/** Pixels of an hour of the punch card. */
const CELL = 30;
const LEFT = 60;

/** Added and deleted lines by weeks. */
export function codeFrequencyPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view } = visit;
  const { activity: text } = view.text;
  return contributionsDocument(visit, context, 'codeFrequency', (contributions) => {
    const all = weeksOfAll(contributions);
    const first = firstWeek(all);
    const sum = (measure: 'additions' | 'deletions') => number(view, totalOf(all, measure));
    const title = text.frequency(sum('additions'), sum('deletions'));
    const bars = barsOf(view, all, first, 'additions', 'deletions');
    return html`<p class="plot-title">${title}</p>${barPlot(view, { title, bars, heads: [text.week, text.additions, text.deletions] })}`;
  });
}

/** Commits of the last year by weeks, and of all years by hours of the week. */
export function recentCommitsPage(visit: RepositoryVisit, context: Context): Promise<Document> {
  const { view } = visit;
  const { activity: text } = view.text;
  return contributionsDocument(visit, context, 'recentCommits', (contributions) => {
    const first = weekOf(now()) - YEAR;
    const weeks = weeksOfAll(contributions).filter(([week]) => week >= first);
    const title = text.lastYear(totalOf(weeks, 'commits'));
    const bars = barsOf(view, weeks, first, 'commits');
    return html`<p class="plot-title">${title}</p>${barPlot(view, { title, bars, heads: [text.week, text.commits] })}
<h3>${text.punchCard}</h3>${punchCard(view, contributions.hours)}`;
  });
}

/** A circle for each hour of the week; its size shows the number of commits. */
function punchCard(view: View, hours: readonly number[]): Html {
  const { activity: text } = view.text;
  const most = Math.max(1, ...hours);
  // 4 January 1970 was a Sunday.
  const dayName = (weekday: number) =>
    new Date(Date.UTC(1970, 0, 4 + weekday)).toLocaleDateString(view.language, { weekday: 'short', timeZone: 'UTC' });
  const busiest = hours.indexOf(most);
  const title = text.busiest(dayName(Math.floor(Math.max(0, busiest) / 24)), Math.max(0, busiest) % 24);
  const circles = hours.map((count, at) => {
    if (count === 0) return false;
    const [x, y] = [LEFT + (at % 24) * CELL + CELL / 2, Math.floor(at / 24) * CELL + CELL / 2];
    const radius = Math.max(2, (CELL / 2 - 1) * Math.sqrt(count / most)).toFixed(1);
    return html`<circle cx="${x}" cy="${y}" r="${radius}"><title>${dayName(Math.floor(at / 24))} ${at % 24}:00: ${number(view, count)}</title></circle>`;
  });
  const days = Array.from({ length: 7 }, (_, weekday) => html`<text x="0" y="${weekday * CELL + CELL / 2 + 4}">${dayName(weekday)}</text>`);
  const marks = [0, 6, 12, 18, 23].map(
    (hour) => html`<text class="hour" x="${LEFT + hour * CELL + CELL / 2}" y="${7 * CELL + 14}">${hour}</text>`,
  );
  return html`<svg class="punch-card" viewBox="0 0 ${LEFT + 24 * CELL} ${7 * CELL + 20}" role="img" aria-label="${title}">${days}${marks}${circles}</svg><p class="muted">${title}</p>`;
}
