import type { Trigger } from '../workflows/file/triggers.ts';
import { type MatchedEvent, matches } from './match.ts';

/** Triggers to match with an event. */
export interface MatchTask {
  readonly triggers: readonly Trigger[];
  readonly event: MatchedEvent;
}

/** Which of the triggers the event starts. */
export function run({ triggers, event }: MatchTask): boolean[] {
  return triggers.map((trigger) => matches(trigger, event));
}
