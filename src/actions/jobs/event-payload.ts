import type { ActionRun } from '../../database/tables/actions.ts';

/** The payload of the event that started a run. Some imported runs have none: an empty object stands for it. */
export function eventPayload<Payload extends object>({ event_payload: text }: Pick<ActionRun, 'event_payload'>): Partial<Payload> {
  const payload: unknown = JSON.parse(text);
  return payload !== null && typeof payload === 'object' ? payload : {};
}
