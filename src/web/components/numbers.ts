import { type Html, html } from '../html.ts';
import type { Language } from '../languages/languages.ts';
import type { View } from '../view.ts';

type Reader = Pick<View, 'language'>;

interface Formats {
  readonly number: Intl.NumberFormat;
  readonly size: Intl.NumberFormat;
  readonly date: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly ago: Intl.RelativeTimeFormat;
  readonly duration: Intl.DurationFormat;
  /** The texts of `date` for minutes, since a page has many times of few minutes, and many pages the same ones. */
  readonly minutes: Map<number, string>;
  /** The texts of `ago`, by number and unit. */
  readonly agos: Map<string, string>;
}

const formats = new Map<Language, Formats>();
/** Texts of a kind that are kept. */
const MAX_TEXTS = 2_000;

function formatsOf({ language }: Reader): Formats {
  const known = formats.get(language);
  if (known) return known;
  const made = {
    number: new Intl.NumberFormat(language),
    size: new Intl.NumberFormat(language, { maximumFractionDigits: 1 }),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    day: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }),
    duration: new Intl.DurationFormat(language, { style: 'long' }),
    ago: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
    minutes: new Map<number, string>(),
    agos: new Map<string, string>(),
  };
  formats.set(language, made);
  return made;
}

/** A number with separators of thousands. */
export function number(view: Reader, value: number): string {
  return formatsOf(view).number.format(value);
}

const SIZE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes with its unit. */
export function bytes(view: Reader, value: number): string {
  const step = value < 1024 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(value) / 10));
  return `${formatsOf(view).size.format(value / 1024 ** step)} ${SIZE_UNITS[step]}`;
}

const DURATION_UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
  ['milliseconds', 1],
] as const;

/** A time that something takes, such as `1 hour, 30 minutes`. */
export function duration(view: Reader, milliseconds: number): string {
  if (milliseconds === 0) return new Intl.NumberFormat(view.language, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(0);
  let rest = milliseconds;
  const parts: Partial<Record<(typeof DURATION_UNITS)[number][0], number>> = {};
  for (const [unit, length] of DURATION_UNITS) {
    const count = Math.floor(rest / length);
    if (count > 0) parts[unit] = count;
    rest -= count * length;
  }
  return formatsOf(view).duration.format(parts);
}

const MINUTE = 60;
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 60 * MINUTE],
  ['month', 30 * 24 * 60 * MINUTE],
  ['week', 7 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
  ['second', 1],
];

/**
 * A relative time, such as `3 hours ago`; the exact time is in the title.
 * @param value a timestamp (RFC 3339), or seconds since 1970
 */
export function timeAgo(view: Reader, value: string | number | null | undefined): Html {
  const time = new Date(typeof value === 'number' ? value * 1000 : (value ?? Number.NaN));
  if (Number.isNaN(time.getTime())) return html``;
  const seconds = Math.round((time.getTime() - Date.now()) / 1000);
  const [unit, length] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  const { ago, date, agos, minutes } = formatsOf(view);
  const count = Math.trunc(seconds / length);
  const text = cachedText(agos, `${count} ${unit}`, () => ago.format(count, unit));
  const minute = cachedText(minutes, Math.floor(time.getTime() / 60_000), () => date.format(time));
  return html`<time datetime="${time.toISOString()}" title="${minute} UTC">${text}</time>`;
}

function cachedText<Key>(texts: Map<Key, string>, key: Key, format: () => string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  if (texts.size >= MAX_TEXTS) texts.clear();
  const text = format();
  texts.set(key, text);
  return text;
}

/** A date in the format of the language; empty for a missing time. @param value a timestamp (RFC 3339), or seconds since 1970 */
export function day(view: Reader, value: string | number): string {
  const time = new Date(typeof value === 'number' ? value * 1000 : value);
  return Number.isNaN(time.getTime()) ? '' : formatsOf(view).day.format(time);
}
