import { now } from '../../clock.ts';
import { beginOfWeek, type Contributions, type Week, weekOf } from '../../git/history/tally.ts';
import { day } from '../components/numbers.ts';
import type { Bar } from '../components/plots.ts';
import type { View } from '../view.ts';

/** Bars of a plot; more weeks than this are grouped. */
const MAX_BARS = 160;
const MIN_WEEKS = 25;

/** The values that are counted by week. */
export type Measure = 'commits' | 'additions' | 'deletions';

const PLACES: Readonly<Record<Measure, 1 | 2 | 3>> = { commits: 1, additions: 2, deletions: 3 };

/** The value of a measure in a week. */
export function measured(week: Week, measure: Measure): number {
  return week[PLACES[measure]];
}

/** The sum of a measure over weeks. */
export function totalOf(weeks: readonly Week[], measure: Measure): number {
  return weeks.reduce((sum, week) => sum + measured(week, measure), 0);
}

/** The weeks of all people together. */
export function weeksOfAll({ contributors }: Pick<Contributions, 'contributors'>): Week[] {
  const all = new Map<number, Week>();
  for (const { weeks } of contributors) {
    for (const [at, commits, additions, deletions] of weeks) {
      const sum = all.get(at) ?? [at, 0, 0, 0];
      all.set(at, [at, sum[1] + commits, sum[2] + additions, sum[3] + deletions]);
    }
  }
  return [...all.values()].sort(([a], [b]) => a - b);
}

/** The first week of a plot: the week of the first commit, or an earlier one if that is recent. */
export function firstWeek(weeks: readonly Week[]): number {
  return Math.min(weeks[0]?.[0] ?? Number.POSITIVE_INFINITY, weekOf(now()) - MIN_WEEKS);
}

/** Weeks as bars, from the given one to this week. @param below the measure that is drawn downwards */
export function barsOf(view: View, weeks: readonly Week[], first: number, measure: Measure, below?: Measure): Bar[] {
  const last = weekOf(now());
  const perBar = Math.max(1, Math.ceil((last - first + 1) / MAX_BARS));
  const count = Math.max(1, Math.ceil((last - first + 1) / perBar));
  const sums = Array.from({ length: count }, () => ({ value: 0, below: 0 }));
  for (const week of weeks) {
    const sum = sums[Math.floor((week[0] - first) / perBar)];
    if (!sum) continue;
    sum.value += measured(week, measure);
    if (below) sum.below += measured(week, below);
  }
  return sums.map((sum, index) => ({
    label: day(view, beginOfWeek(first + index * perBar)),
    value: sum.value,
    ...(below && { below: sum.below }),
  }));
}
