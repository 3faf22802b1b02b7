import { readFile } from 'node:fs/promises';
import type { StepResult } from './scenarios.ts';

const FILE = new URL('../known-differences.json', import.meta.url);

/** Why steps differ from their record: by scenario (or `area/*`) for all of its steps, or by the step's label. */
export type KnownDifferences = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

export async function loadKnownDifferences(): Promise<KnownDifferences> {
  return JSON.parse(await readFile(FILE, 'utf8')) as KnownDifferences;
}

/** Why a step may differ; undefined where it must not. */
export function reasonFor(known: KnownDifferences, { scenario, label }: Pick<StepResult, 'scenario' | 'label'>): string | undefined {
  const area = known[`${scenario.split('/')[0]}/*`];
  if (typeof area === 'string') return area;
  const entry = known[scenario];
  return typeof entry === 'string' ? entry : entry?.[label];
}

/** The entries of single steps that are exact, or are not steps any more: the list has to lose them. Whole scenarios count by all steps. */
export function outdatedEntries(known: KnownDifferences, results: readonly StepResult[]): string[] {
  const differing = new Set(
    results.filter(({ differences }) => differences.length > 0).map(({ scenario, label }) => `${scenario} · ${label}`),
  );
  const played = new Set(results.map(({ scenario }) => scenario));
  return Object.entries(known).flatMap(([scenario, entry]) => {
    if (!played.has(scenario)) return [];
    if (typeof entry === 'string') return [...differing].some((step) => step.startsWith(`${scenario} · `)) ? [] : [scenario];
    return Object.keys(entry)
      .map((label) => `${scenario} · ${label}`)
      .filter((step) => !differing.has(step));
  });
}
