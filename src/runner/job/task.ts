import type { CacheServer } from '../cache/server.ts';
import type { Engine } from '../containers/engine.ts';
import type { Label } from '../labels.ts';
import type { Plain } from '../plain.ts';
import type { JobControl } from './control.ts';
import type { RunnerFacts } from './job.ts';
import type { Reporter } from './reporter.ts';

/** The environment of all jobs of a runner. */
export interface RunnerOptions extends RunnerFacts {
  /** Its folder. */
  readonly folder: string;
  readonly labels: readonly Label[];
  /** The container engine; undefined if there is none. */
  readonly engine: Engine | undefined;
  /** The caches of jobs on the host; undefined without. */
  readonly caches: CacheServer | undefined;
  /** Milliseconds between reports on a job. */
  readonly reportInterval: number;
}

/** A task that the server gave this runner: one job, or all jobs of a workflow that it calls. */
export interface Task {
  readonly id: bigint;
  readonly options: RunnerOptions;
  readonly reporter: Reporter;
  readonly control: JobControl;
  /** How many jobs have begun. */
  jobs: number;
}

/** A job of a workflow, ready to run. */
export interface JobRequest {
  /** The workflow with this job alone. */
  readonly workflow: Plain;
  readonly key: string;
  readonly definition: Plain;
  readonly github: Plain;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  /** Jobs by their keys, with `result` and `outputs`. */
  readonly needs: Plain;
  readonly inputs: Plain;
  /** How many workflows have called each other. */
  readonly depth: number;
  /** Its steps are those that the server knows. */
  readonly isReported: boolean;
}

/** How a job ended. */
export interface JobEnd {
  readonly result: 'success' | 'failure' | 'cancelled' | 'skipped';
  readonly outputs: Readonly<Record<string, string>>;
}
