import { parse } from 'yaml';
import type { ActionPermissions } from '../../../../database/tables/actions.ts';
import { objectOf, textOf } from '../../../../packages/protocol/values.ts';
import type { Row } from '../../source/row.ts';
import { unitOf } from '../../units.ts';

/** The parts of a job's own workflow that are used: Gitea parses it again each time. */
export interface JobWorkflow {
  /** Of the workflow. */
  readonly name: string;
  readonly hasCondition: boolean;
  readonly maxParallel: number;
  readonly failFast: boolean;
  readonly continueOnError: boolean;
}

const LEVELS = ['none', 'read', 'write'] as const;

/** Parses the workflow of a job, which contains only this job. */
export function readJobWorkflow(row: Row): JobWorkflow {
  const workflow = objectOf(readYaml(row.text('workflow_payload')));
  const job = objectOf(Object.values(objectOf(workflow.jobs))[0]);
  const strategy = objectOf(job.strategy);
  const parallel = Number(strategy['max-parallel']);
  return {
    name: textOf(workflow.name).slice(0, 255),
    hasCondition: job.if !== undefined && job.if !== null && job.if !== '',
    maxParallel: Number.isSafeInteger(parallel) && parallel > 0 ? parallel : 0,
    failFast: strategy['fail-fast'] === true,
    continueOnError: job['continue-on-error'] === true,
  };
}

/** `concurrency` as written, as JSON; empty if there is none. */
export function readConcurrency(row: Row): string {
  const value = readYaml(row.text('raw_concurrency'));
  if (value === undefined || value === null || value === '') return '';
  const { group, 'cancel-in-progress': cancel } = objectOf(value);
  return JSON.stringify(
    typeof value === 'string' ? { group: value, cancel: '' } : { group: textOf(group), cancel: cancel === undefined ? '' : String(cancel) },
  );
}

/** The permissions of a job's token; null if its workflow does not set them. */
export function readPermissions(row: Row): ActionPermissions | null {
  const levels = levelsByUnit(row.json('token_permissions'));
  return Object.keys(levels).length === 0 ? null : levels;
}

/** Gitea's names of the permission levels. */
export function levelsByUnit(permissions: unknown): ActionPermissions {
  const levels = Object.entries(objectOf(objectOf(permissions).unit_access_modes)).flatMap(([unit, mode]) => {
    const name = unitOf(Number(unit));
    return name === undefined ? [] : [[name, LEVELS[Number(mode)] ?? 'none'] as const];
  });
  return Object.fromEntries(levels);
}

function readYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
