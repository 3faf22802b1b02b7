import type { ActionSource } from '../actions/source.ts';
import type { Plain } from '../plain.ts';
import type { JobControl } from './control.ts';
import type { Executor } from './executor.ts';
import type { JobFolders } from './folders.ts';
import type { JobLog } from './log.ts';

/** The results of a step for later expressions. */
export interface StepRecord {
  readonly outputs: Readonly<Record<string, string>>;
  /** Before `continue-on-error`. */
  readonly outcome: string;
  readonly conclusion: string;
}

/** The steps of a job, or of a composite action, which see each other and not those around them. */
export interface StepScope {
  readonly inputs: Plain;
  /** By the ids of steps. */
  readonly steps: Record<string, StepRecord>;
  /** The `env` of the step that uses the composite action. */
  readonly env: Readonly<Record<string, string>>;
  /** The composite action. */
  readonly action: ActionPlace | undefined;
  /** Aborts when the time of the step is over that they belong to. */
  readonly limit: AbortSignal | undefined;
  /** How many actions are around these steps. */
  readonly depth: number;
  hasFailed: boolean;
}

/** Where an action is, and where it came from. */
export interface ActionPlace {
  readonly folder: string;
  /** Empty for an action of the workspace. */
  readonly repository: string;
  readonly ref: string;
}

/** Steps that run after all others of a job, the last one first. */
export interface PostStep {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** The facts about the machine. */
export interface RunnerFacts {
  readonly name: string;
  /** Begins the value by which processes of its jobs are found. */
  readonly tracking: string;
  /** `RUNNER_TOOL_CACHE` */
  readonly toolCache: string;
  /** Variables of the runner's own environment that steps get. */
  readonly environment: Readonly<Record<string, string>>;
  /** The URL by which this runner reaches the instance. */
  readonly instanceUrl: string;
}

/** A job while it runs. */
export interface Job {
  readonly taskId: bigint;
  readonly key: string;
  /** The job in its workflow. */
  readonly definition: Plain;
  /** `defaults.run` of the workflow. */
  readonly workflowDefaults: Plain;
  /** The context as the server sent it. */
  readonly github: Plain;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  readonly needs: Plain;
  readonly inputs: Plain;
  readonly matrix: Plain;
  readonly strategy: Plain;
  readonly runner: RunnerFacts;
  readonly folders: JobFolders;
  /** `env` of workflow and job, and the additions of steps. */
  readonly env: Map<string, string>;
  /** The additions of steps to the PATH, the last one first. */
  readonly path: string[];
  readonly log: JobLog;
  readonly control: JobControl;
  readonly executor: Executor;
  readonly actions: ActionSource;
  /** Where `actions/cache` keeps and finds caches; undefined without. */
  readonly cacheUrl: string | undefined;
  readonly posts: PostStep[];
  /** The state saved by `pre` files of actions, by `uses`. */
  readonly preStates: Map<string, Readonly<Record<string, string>>>;
}

/** Runs steps one after the other. */
export type RunSteps = (job: Job, scope: StepScope, steps: readonly unknown[]) => Promise<void>;
