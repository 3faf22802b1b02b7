import { now } from '../../clock.ts';
import type { BurnDownDay } from '../../issues/milestones/burn-down.ts';
import { day, number } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

const WIDTH = 720;
const HEIGHT = 160;
/** Room for the numbers of the axes. */
const LEFT = 32;
const BOTTOM = 20;
/** Rows of the table at most: of many days, some are left out evenly. */
const MAX_ROWS = 30;

/** How many issues of a milestone were open and closed, day by day: a plot, a sentence that says the same, and a table. */
export function burnDownPlot(view: View, days: readonly BurnDownDay[], due: number | null): Html | false {
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last || days.length < 2) return false;
  const { issues: text } = view.text;
  const end = Math.max(now(), last.day, due ?? 0);
  const most = Math.max(...days.map(({ open, closed }) => open + closed));
  const x = (at: number) => LEFT + ((at - first.day) / Math.max(1, end - first.day)) * (WIDTH - LEFT);
  const y = (count: number) => (HEIGHT - BOTTOM) * (1 - count / Math.max(1, most));
  const steps = [...days, { ...last, day: Math.min(end, Math.max(now(), last.day)) }];
  const line = (value: (step: BurnDownDay) => number) =>
    steps
      .map(
        (step, index) =>
          `${index === 0 ? 'M' : `H${x(step.day).toFixed(1)}V`}${index === 0 ? `${x(step.day).toFixed(1)} ` : ''}${y(value(step)).toFixed(1)}`,
      )
      .join('');
  const summary = text.burnDownSummary(day(view, first.day), last.open, last.closed);
  return html`<figure class="burn-down"><figcaption><h3>${text.burnDown}</h3>
<span class="burn-key burn-open">${text.openWork}</span> <span class="burn-key burn-closed">${text.closedWork}</span>${due !== null && html` <span class="burn-key burn-due">${text.dueDate}</span>`}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${summary}">
<path class="burn-axis" d="M${LEFT} 0V${HEIGHT - BOTTOM}H${WIDTH}"/>
<text x="${LEFT - 4}" y="10" text-anchor="end">${number(view, most)}</text><text x="${LEFT - 4}" y="${HEIGHT - BOTTOM}" text-anchor="end">0</text>
<text x="${LEFT}" y="${HEIGHT - 4}">${day(view, first.day)}</text><text x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">${day(view, end)}</text>
<path class="burn-closed" d="${line(({ closed }) => closed)}"/><path class="burn-open" d="${line(({ open }) => open)}"/>
${due !== null && due >= first.day && html`<path class="burn-due" d="M${x(due).toFixed(1)} 0V${HEIGHT - BOTTOM}"/>`}</svg>
<details><summary>${text.asTable}</summary>${table(view, days)}</details></figure>`;
}

function table(view: View, days: readonly BurnDownDay[]): Html {
  const { issues: text } = view.text;
  const every = Math.ceil(days.length / MAX_ROWS);
  const rows = days.filter((_, index) => (days.length - 1 - index) % every === 0);
  return html`<table><thead><tr><th scope="col">${text.day}</th><th scope="col">${text.openWork}</th><th scope="col">${text.closedWork}</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${day(view, row.day)}</th><td>${number(view, row.open)}</td><td>${number(view, row.closed)}</td></tr>`)}</tbody></table>`;
}
