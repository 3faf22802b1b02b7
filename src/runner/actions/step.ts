import type { Expressions } from '../expressions.ts';
import type { ActionPlace, RunSteps } from '../job/job.ts';
import type { Plain } from '../plain.ts';
import type { ActionFile } from './action-file.ts';

/** A step with `uses`. */
export interface ActionStep {
  readonly uses: string;
  readonly step: Plain;
  /** Its `env`. */
  readonly env: Readonly<Record<string, string>>;
  readonly id: string;
  readonly signal: AbortSignal;
  /** Aborts when its time is over. */
  readonly limit: AbortSignal;
  readonly expressions: Expressions;
  readonly runSteps: RunSteps;
}

/** An action that is ready to run. */
export interface ReadyAction {
  readonly place: ActionPlace;
  readonly file: ActionFile;
}

/** An action with its inputs. */
export interface ActionCall extends ActionStep {
  readonly action: ReadyAction;
  readonly inputs: Readonly<Record<string, string>>;
}

/** Inputs as the variables that clients of actions read. */
export function inputVariables(inputs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, value]));
}
