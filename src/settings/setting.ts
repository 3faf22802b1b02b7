import type { Kind, SettingInput } from './kinds.ts';

/** A default that follows from other settings. */
export interface DerivedDefault {
  /** What it is derived from, for the documentation. */
  readonly from: string;
  /** Returns the value as it would be written; `get` returns another setting by its full name. */
  readonly value: (get: (name: string) => unknown) => SettingInput;
}

/** One row of the table of settings. */
export interface Setting<T = unknown> {
  readonly kind: Kind<T>;
  /** As it would be written in the settings file. */
  readonly default: SettingInput | DerivedDefault;
  readonly meaning: string;
  /** The environment variable, if it differs from the one derived from the group and the name. */
  readonly variable?: string;
  /** Never printed, logged or shown; it may also be given as a file, by the variable with `_FILE` after it. */
  readonly secret?: boolean;
}

/** Settings that belong together: a heading of the documentation, a mapping in the settings file. */
export interface SettingGroup<S extends Readonly<Record<string, Setting>> = Readonly<Record<string, Setting>>> {
  readonly title: string;
  readonly meaning: string;
  /** The prefix of the environment variables after `COPSE_`; the group's name when absent. */
  readonly prefix?: string;
  readonly settings: S;
}

/** The values of a group's settings. */
export type GroupValues<G extends SettingGroup> = {
  readonly [Name in keyof G['settings']]: G['settings'][Name] extends Setting<infer T> ? T : never;
};

/** Declares a setting; its default is written as an operator would write it. */
export function setting<T>(
  kind: Kind<T>,
  fallback: SettingInput | DerivedDefault,
  meaning: string,
  options: Pick<Setting, 'variable' | 'secret'> = {},
): Setting<T> {
  return { kind, default: fallback, meaning, ...options };
}

/** Declares a group of settings. */
export function group<const S extends Readonly<Record<string, Setting>>>(
  title: string,
  meaning: string,
  settings: S,
  options: { prefix?: string } = {},
): SettingGroup<S> {
  return { title, meaning, settings, ...options };
}

/** Whether a default follows from other settings. */
export function isDerived(value: Setting['default']): value is DerivedDefault {
  return typeof value === 'object' && 'from' in value;
}
