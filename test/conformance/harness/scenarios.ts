import { glob, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { compareStep } from './compare.ts';
import { type RecordedStep, Session } from './session.ts';

const SCENARIOS = new URL('../scenarios/', import.meta.url);
const RECORDS = new URL('../records/', import.meta.url);

/** A scenario: a module that calls a server, and the record of what the reference responded. */
export interface Scenario {
  /** `area/name`. */
  readonly name: string;
  /** It changes what others could see, and runs by itself. */
  readonly isAlone: boolean;
  readonly play: (session: Session) => Promise<void>;
}

/** How one step of a scenario compares with its record. */
export interface StepResult {
  readonly scenario: string;
  /** The step's label; the second of the same label in a scenario ends with `(2)`, and so on. */
  readonly label: string;
  /** Empty where it is exact. */
  readonly differences: readonly string[];
}

/** Where a server is, and NAME:PASSWORD of a site administrator. */
export interface Target {
  readonly url: string;
  readonly admin: string;
}

/** The names of all scenarios below a folder, `area/name`. */
export async function scenarioNames(folder: URL = SCENARIOS): Promise<string[]> {
  const files = await Array.fromAsync(glob('**/*.mjs', { cwd: folder }));
  return files
    .filter((file) => !basename(file).startsWith('_'))
    .map((file) => file.replaceAll('\\', '/').slice(0, -'.mjs'.length))
    .sort();
}

/** Loads a scenario by its name. */
export async function loadScenario(name: string): Promise<Scenario> {
  const module = await import(new URL(`${name}.mjs`, SCENARIOS).href);
  return { name, isAlone: module.alone === true, play: module.default };
}

/** Plays a scenario and compares each step; one that ends early differs from there on. */
export async function compareScenario(scenario: Scenario, target: Target): Promise<StepResult[]> {
  const session = await Session.open(target.url, target.admin);
  const failure = await scenario.play(session).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  await session.close();
  const record = await recordOf(scenario.name);
  const labels = numbered(record);
  return record.map((step, index) => {
    const lines = compareStep(step, session.steps[index]);
    const why = failure && !session.steps[index] ? [`ended early: ${failure}`] : lines;
    return { scenario: scenario.name, label: labels[index] ?? '', differences: why };
  });
}

async function recordOf(name: string): Promise<RecordedStep[]> {
  return JSON.parse(await readFile(new URL(`${name}.json`, RECORDS), 'utf8')) as RecordedStep[];
}

function numbered(steps: readonly RecordedStep[]): string[] {
  const seen = new Map<string, number>();
  return steps.map(({ label }) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} (${count})`;
  });
}
