import type { Contribution } from './contributions.ts';

/** The contributions of a week: its number, commits, added and removed lines. Week 0 is the one of 1 January 1970; weeks begin on Sunday. */
export type Week = [week: number, commits: number, additions: number, deletions: number];

/** The contributions of a person; the e-mail address is in lower case. */
export interface Contributor {
  readonly name: string;
  readonly email: string;
  /** In order of time. */
  readonly weeks: readonly Week[];
}

/** The stored statistics of a history. */
export interface Contributions {
  readonly contributors: readonly Contributor[];
  /** Commits by hour of the week, from Sunday midnight. */
  readonly hours: readonly number[];
  /** Whether older commits were not counted. */
  readonly isCut: boolean;
}

/** Maximum number of people, and of weeks of one; further ones count for an unnamed person. */
const MAX_CONTRIBUTORS = 500;
const MAX_WEEKS = 2_000;
const DAY = 24 * 3600;
const HOURS = 7 * 24;

/** The week of a time in seconds. 1970 began on a Thursday. */
export function weekOf(seconds: number): number {
  return Math.floor((Math.floor(seconds / DAY) + 4) / 7);
}

/** The beginning of a week, in seconds. */
export function beginOfWeek(week: number): number {
  return (week * 7 - 4) * DAY;
}

/** Adds up contributions by person and week. */
export class Tally {
  readonly #people = new Map<string, { name: string; weeks: Map<number, Week> }>();
  readonly #hours: number[];
  readonly #isCut: boolean;
  readonly #lastWeek: number;

  /** @param begun what was counted before @param now in seconds: later times count for this week */
  constructor(begun: Contributions | undefined, now: number, isCut = false) {
    this.#hours = Array.from({ length: HOURS }, (_, at) => begun?.hours[at] ?? 0);
    this.#isCut = isCut || (begun?.isCut ?? false);
    this.#lastWeek = weekOf(now);
    for (const { name, email, weeks } of begun?.contributors ?? []) {
      this.#people.set(email, { name, weeks: new Map(weeks.map((week) => [week[0], [...week]])) });
    }
  }

  add({ name, email, seconds, weekday, hour, additions, deletions }: Contribution): void {
    const { weeks } = this.#person(email.toLowerCase(), name);
    const at = Math.min(Math.max(0, weekOf(seconds)), this.#lastWeek);
    const week: Week = weeks.get(at) ?? [at, 0, 0, 0];
    // Impossible dates are counted in the first week.
    const kept = weeks.has(at) || weeks.size < MAX_WEEKS ? week : (weeks.values().next().value ?? week);
    kept[1] += 1;
    kept[2] += additions;
    kept[3] += deletions;
    weeks.set(kept[0], kept);
    const slot = weekday * 24 + hour;
    this.#hours[slot] = (this.#hours[slot] ?? 0) + 1;
  }

  get contributions(): Contributions {
    const contributors = [...this.#people].map(([email, { name, weeks }]) => ({
      name,
      email,
      weeks: [...weeks.values()].sort(([a], [b]) => a - b),
    }));
    return { contributors, hours: this.#hours, isCut: this.#isCut };
  }

  #person(email: string, name: string) {
    const known = this.#people.get(email);
    if (known) {
      known.name = name;
      return known;
    }
    const isOther = this.#people.size >= MAX_CONTRIBUTORS;
    const made = (isOther ? this.#people.get('') : undefined) ?? { name: isOther ? '' : name, weeks: new Map<number, Week>() };
    this.#people.set(isOther ? '' : email, made);
    return made;
  }
}
