import { parse } from 'yaml';
import { isRecord } from '../../tasks/json.ts';

const MAX_NAME = 255;

/** The displayed names of the steps of a job. `payload` is the workflow with this job alone. */
export function stepNamesOf(payload: string): string[] {
  // The library compares each key with all others by default.
  const workflow: unknown = parse(payload, { uniqueKeys: false });
  const jobs = isRecord(workflow) && isRecord(workflow.jobs) ? Object.values(workflow.jobs) : [];
  const [job] = jobs;
  const steps: unknown = isRecord(job) ? job.steps : [];
  return Array.isArray(steps) ? steps.map(nameOf) : [];
}

/** Its name; else `Run` with the first line of what is run, or with the action that is used. */
function nameOf(step: unknown): string {
  const text = (key: string) => (isRecord(step) && step[key] !== undefined && step[key] !== null ? String(step[key]) : '');
  const line = text('run').trim().split('\n')[0]?.trim() ?? '';
  const name = text('name') || `Run ${line || text('uses') || text('run') || text('id')}`;
  const characters = [...name.replaceAll('\0', '')];
  return characters.length <= MAX_NAME ? characters.join('') : `${characters.slice(0, MAX_NAME - 1).join('')}…`;
}
