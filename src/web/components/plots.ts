import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { number } from './numbers.ts';

/** A bar of a plot: upwards, and downwards for a second value. */
export interface Bar {
  /** Its label, such as a week. */
  readonly label: string;
  readonly value: number;
  readonly below?: number;
}

/** The data of a plot. */
export interface Plot {
  /** A sentence that describes the plot. */
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The names of the label and of the values, for the table. */
  readonly heads: readonly string[];
  readonly size?: 'small';
}

/** Rows of the table that has the numbers of a plot. */
const MAX_ROWS = 200;
const WIDTH = 800;
const HEIGHT = 160;
/** Space above the highest bar for its number. */
const MARGIN = 20;

/** Bars from left to right, with a table of the same numbers unless the plot is small. */
export function barPlot(view: View, plot: Plot): Html {
  const { title, bars, size } = plot;
  const scale = scaleOf(bars);
  const zero = scale.zero.toFixed(1);
  const shown = size === 'small' ? outline(bars, scale) : bars.map((bar, index) => barShape(view, bar, index, scale));
  return html`<figure class="plot"><div class="plot-body"><span class="plot-top muted">${number(view, scale.up)}</span>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}">${shown}<path class="plot-zero" d="M0 ${zero}H${WIDTH}"/></svg>
${scale.down > 0 && html`<span class="plot-bottom muted">${number(view, scale.down)}</span>`}</div>
<div class="plot-ends muted"><span>${bars[0]?.label}</span><span>${bars.at(-1)?.label}</span></div>
${size !== 'small' && table(view, plot, scale.down > 0)}</figure>`;
}

interface Scale {
  /** The largest value of each direction; 0 if nothing goes downwards. */
  readonly up: number;
  readonly down: number;
  /** Where both begin. */
  readonly zero: number;
  /** From one bar to the next. */
  readonly step: number;
  lengthOf(value: number): number;
}

function scaleOf(bars: readonly Bar[]): Scale {
  const hasBelow = bars.some(({ below }) => below !== undefined);
  const up = Math.max(1, ...bars.map(({ value }) => value));
  const down = hasBelow ? Math.max(1, ...bars.map(({ below = 0 }) => below)) : 0;
  const unit = (HEIGHT - (hasBelow ? 2 : 1) * MARGIN) / (up + down);
  const lengthOf = (value: number) => (value === 0 ? 0 : Math.max(1, unit * value));
  return { up, down, zero: MARGIN + unit * up, step: WIDTH / Math.max(1, bars.length), lengthOf };
}

function barShape(view: View, { label, value, below = 0 }: Bar, index: number, { zero, step, down, lengthOf }: Scale): Html | false {
  if (value === 0 && below === 0) return false;
  const place = html`x="${(index * step).toFixed(1)}" width="${(step * 0.8).toFixed(1)}"`;
  const name = html`<title>${label}: ${number(view, value)}${down > 0 && ` / ${number(view, below)}`}</title>`;
  return html`<g>${name}<rect class="bar-up" ${place} y="${(zero - lengthOf(value)).toFixed(1)}" height="${lengthOf(value).toFixed(1)}"/>${below > 0 && html`<rect class="bar-down" ${place} y="${zero.toFixed(1)}" height="${lengthOf(below).toFixed(1)}"/>`}</g>`;
}

/** All bars as one shape. */
function outline(bars: readonly Bar[], { zero, step, lengthOf }: Scale): Html {
  const parts = bars.flatMap(({ value }, index) =>
    value === 0
      ? []
      : [`M${(index * step).toFixed(1)} ${zero.toFixed(1)}v${-lengthOf(value).toFixed(1)}h${(step * 0.9).toFixed(1)}V${zero.toFixed(1)}z`],
  );
  return html`<path class="bar-up" d="${parts.join('')}"/>`;
}

function table(view: View, { bars, heads, title }: Plot, hasBelow: boolean): Html {
  const rows = bars.filter(({ value, below = 0 }) => value > 0 || below > 0).slice(-MAX_ROWS);
  return html`<details class="plot-table"><summary>${view.text.activity.asTable}</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><caption class="visually-hidden">${title}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.toReversed().map(({ label, value, below = 0 }) => html`<tr><th scope="row">${label}</th><td>${number(view, value)}</td>${hasBelow && html`<td>${number(view, below)}</td>`}</tr>`)}</tbody></table></div></details>`;
}
