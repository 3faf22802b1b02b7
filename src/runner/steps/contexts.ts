import { Expressions, type Status } from '../expressions.ts';
import { hashFiles } from '../job/hash-files.ts';
import type { Job, StepScope } from '../job/job.ts';
import { eventFile, runnerContext } from './environment.ts';

/** The status of a scope's steps. */
export function statusOf(job: Job, scope: StepScope): Status {
  if (job.control.reason) return 'cancelled';
  return scope.hasFailed ? 'failure' : 'success';
}

/**
 * The expressions of a step.
 * @param env what the step itself has in `env`
 * @param name the id of the step
 */
export function expressionsOf(job: Job, scope: StepScope, env: Readonly<Record<string, string>> = {}, name = ''): Expressions {
  const isComposite = scope.action !== undefined;
  return new Expressions({
    contexts: () => {
      const github = githubContext(job, scope, name);
      return {
        github,
        gitea: github,
        env: { ...Object.fromEntries(job.env), ...scope.env, ...env },
        job: { status: job.control.reason ? 'cancelled' : scope.hasFailed ? 'failure' : 'success', ...job.executor.facts },
        runner: runnerContext(job),
        steps: scope.steps,
        inputs: scope.inputs,
        // An action gets its inputs, and no secrets besides.
        secrets: isComposite ? {} : job.secrets,
        vars: job.vars,
        needs: isComposite ? {} : job.needs,
        matrix: job.matrix,
        strategy: job.strategy,
      };
    },
    status: () => statusOf(job, scope),
    hashFiles: (patterns) => hashFiles(job.folders.workspace, patterns),
  });
}

function githubContext(job: Job, scope: StepScope, name: string): object {
  const { gitea_runtime_token: _, ...github } = job.github;
  return {
    ...github,
    workspace: job.folders.workspace,
    event_path: eventFile(job),
    action: name,
    action_path: scope.action?.folder ?? '',
    action_repository: scope.action?.repository ?? '',
    action_ref: scope.action?.ref ?? '',
    action_status: statusOf(job, scope),
    triggering_actor: github.triggering_actor || github.actor,
  };
}
