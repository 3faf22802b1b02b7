import { RESULT, type TaskMessage } from '../../actions/protocol/messages.ts';
import { parseYaml } from '../actions/action-file.ts';
import type { RunnerClient } from '../client.ts';
import { isPlain, listAt, type Plain, plainAt, textAt } from '../plain.ts';
import { messageOf } from '../problem.ts';
import { JobControl } from './control.ts';
import { Reporter } from './reporter.ts';
import { startJob } from './start-job.ts';
import type { JobEnd, RunnerOptions, Task } from './task.ts';

/** A task that runs. */
export interface RunningTask {
  readonly id: bigint;
  /** Resolves when the server knows how it ended, or will never know. */
  readonly ended: Promise<void>;
  /** Ends it as failed, since the runner is stopped. */
  stop(): void;
}

const RESULT_NAMES: ReadonlyMap<number, string> = new Map(Object.entries(RESULT).map(([name, number]) => [number, name]));

/**
 * Runs what the server gave.
 * @param giveUp aborts when its end is not to be reported any more
 */
export function runTask(message: TaskMessage, client: RunnerClient, options: RunnerOptions, giveUp: AbortSignal): RunningTask {
  const control = new JobControl();
  const workflow = payloadOf(message);
  const [key = '', definition] = Object.entries(plainAt(workflow, 'jobs'))[0] ?? [];
  const job = isPlain(definition) ? definition : {};
  const reporter = new Reporter({
    client,
    taskId: message.id,
    steps: listAt(job, 'steps').length,
    interval: options.reportInterval,
    onEnd: () => control.end('cancelled'),
  });
  const task: Task = { id: message.id, options, reporter, control, jobs: 0 };
  return {
    id: message.id,
    ended: run(task, { message, workflow, key, job }, giveUp),
    stop: () => control.end('shutdown'),
  };
}

interface TaskParts {
  readonly message: TaskMessage;
  readonly workflow: Plain;
  readonly key: string;
  readonly job: Plain;
}

async function run(task: Task, parts: TaskParts, giveUp: AbortSignal): Promise<void> {
  const { reporter, control, options } = task;
  const { message } = parts;
  const github = message.context ?? {};
  reporter.log.mask(...Object.values(message.secrets), textAt(github, 'token'), textAt(github, 'gitea_runtime_token'));
  reporter.log.add(`${options.name} runs ${parts.key} of ${textAt(github, 'repository')}`);
  reporter.start();
  const end = await runParts(task, parts);
  control.close();
  await reporter.finish(end.result, end.outputs, giveUp);
}

async function runParts(task: Task, { message, workflow, key, job }: TaskParts): Promise<JobEnd> {
  const github = message.context ?? {};
  const event = plainAt(github, 'event');
  try {
    return await startJob(task, {
      workflow,
      key,
      definition: job,
      github,
      secrets: message.secrets,
      vars: message.vars,
      needs: needsOf(message),
      inputs: textAt(github, 'event_name') === 'workflow_dispatch' ? typedInputs(workflow, plainAt(event, 'inputs')) : {},
      depth: 0,
      isReported: true,
    });
  } catch (error) {
    // An error here concerns this job alone: the runner continues.
    task.reporter.log.add(`::error::The runner failed: ${messageOf(error)}`);
    return { result: 'failure', outputs: {} };
  }
}

function payloadOf({ workflowPayload }: TaskMessage): Plain {
  try {
    return parseYaml(Buffer.from(workflowPayload ?? []).toString('utf8'), 'the workflow');
  } catch {
    return {};
  }
}

function needsOf({ needs }: TaskMessage): Plain {
  return Object.fromEntries(
    Object.entries(needs).map(([key, { outputs, result }]) => [key, { outputs, result: RESULT_NAMES.get(result) ?? 'failure' }]),
  );
}

/** Inputs of a workflow that was started by hand: truth values are not strings in expressions. */
function typedInputs(workflow: Plain, inputs: Plain): Plain {
  const declared = plainAt(plainAt(workflow.on, 'workflow_dispatch'), 'inputs');
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const type = textAt(plainAt(declared, name), 'type');
      if (type === 'boolean') return [name, String(value) === 'true'];
      return [name, type === 'number' ? Number(value) : value];
    }),
  );
}
