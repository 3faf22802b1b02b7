import { heatmap } from '../../activity/heatmap.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { day } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

const DAY = 24 * 3600;
const WEEKS = 53;
/** Pixels from one day to the next. */
const STEP = 13;
/** From so many contributions a day on, each of the steps of colour begins. */
const LEVELS = [1, 3, 6, 10];

/** The contributions of a year, a square for each day; empty if the instance or the account does not show them. */
export async function heatmapPlot(view: View, context: Context, user: User): Promise<Html | false> {
  if (!context.settings.users.heatmapEnabled) return false;
  const counts = new Map<number, number>();
  for (const { timestamp, contributions } of await heatmap(context, user)) {
    const at = Math.floor(timestamp / DAY);
    counts.set(at, (counts.get(at) ?? 0) + contributions);
  }
  const today = Math.floor(now() / DAY);
  // 1970 began on a Thursday; columns are weeks that begin on Monday.
  const first = today - ((today + 3) % 7) - (WEEKS - 1) * 7;
  const days = Array.from({ length: today - first + 1 }, (_, index) => first + index);
  const total = days.reduce((sum, at) => sum + (counts.get(at) ?? 0), 0);
  if (total === 0) return false;
  const title = view.text.people.contributions(total);
  return html`<section><h2>${title}</h2>
<svg class="heatmap" viewBox="0 0 ${WEEKS * STEP} ${7 * STEP}" role="img" aria-label="${title}">${days.map((at, index) => {
    const count = counts.get(at) ?? 0;
    const level = LEVELS.filter((least) => count >= least).length;
    const label = count > 0 && html`<title>${view.text.people.contributionsOn(count, day(view, at * DAY))}</title>`;
    return html`<rect class="heat-${level}" x="${Math.floor(index / 7) * STEP}" y="${(index % 7) * STEP}" width="10" height="10" rx="2">${label}</rect>`;
  })}</svg></section>`;
}
