import { RESULT } from '../../actions/protocol/messages.ts';
import type { JobLog } from './log.ts';
import { timestamp } from './timestamp.ts';

/** How a step or a job ended. */
export type Result = 'success' | 'failure' | 'cancelled' | 'skipped';

interface State {
  result: Result | 'unspecified';
  startedAt: Date | undefined;
  stoppedAt: Date | undefined;
  logIndex: number;
  logLength: number;
}

/** The report of a job besides its steps. */
interface JobPart {
  readonly id: bigint;
  readonly result: Result | 'unspecified';
  readonly startedAt: Date;
  readonly stoppedAt?: Date;
}

/** The progress of a job's steps, with their positions in its log. */
export class StepStates {
  readonly #states: State[];
  readonly #log: JobLog;
  /** Something has happened that was not reported yet. */
  isChanged = true;

  constructor(count: number, log: JobLog) {
    this.#log = log;
    this.#states = Array.from({ length: count }, () => ({
      result: 'unspecified',
      startedAt: undefined,
      stoppedAt: undefined,
      logIndex: 0,
      logLength: 0,
    }));
  }

  /** Starts a step; the following lines of the log belong to it. */
  start(index: number): void {
    const state = this.#states[index];
    if (!state) return;
    state.startedAt = new Date();
    state.logIndex = this.#log.length;
    this.isChanged = true;
  }

  /** A step is over. */
  end(index: number, result: Result): void {
    const state = this.#states[index];
    if (!state) return;
    state.result = result;
    if (state.startedAt) {
      state.stoppedAt = new Date();
      state.logLength = this.#log.length - state.logIndex;
    }
    this.isChanged = true;
  }

  /** Whether something has happened since the last call. */
  takeChange(): boolean {
    const was = this.isChanged;
    this.isChanged = false;
    return was;
  }

  /** The state of the job, as it is reported. Steps that never began were skipped when it is over. */
  state({ id, result, startedAt, stoppedAt }: JobPart) {
    const steps = this.#states.map((state, index) => {
      const isOpen = stoppedAt !== undefined && state.result === 'unspecified';
      const own = isOpen ? (state.startedAt ? 'cancelled' : 'skipped') : state.result;
      const length = state.startedAt && state.result === 'unspecified' ? this.#log.length - state.logIndex : state.logLength;
      return {
        id: BigInt(index),
        result: RESULT[own],
        logIndex: BigInt(state.logIndex),
        logLength: BigInt(length),
        ...(state.startedAt && { startedAt: timestamp(state.startedAt) }),
        ...(state.stoppedAt && { stoppedAt: timestamp(state.stoppedAt) }),
      };
    });
    const end = stoppedAt && { stoppedAt: timestamp(stoppedAt) };
    return { id, result: RESULT[result], startedAt: timestamp(startedAt), steps, ...end };
  }
}
