import { arch, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { trimEnd } from '../../text/trim-end.ts';
import type { Job, StepScope } from '../job/job.ts';
import { TRACKING } from '../job/leftovers.ts';
import { plainAt, textAt } from '../plain.ts';
import type { CommandFiles } from './command-files.ts';

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'X64', arm64: 'ARM64', arm: 'ARM', ia32: 'X86' };

/** The variables of one step. */
export interface StepEnvironment {
  /** Its `env`, and additional variables of an action. */
  readonly env: Readonly<Record<string, string>>;
  /** The id of the step, or of its action. */
  readonly name: string;
  readonly files: CommandFiles;
  readonly action: StepScope['action'];
}

/** The context `runner`. */
export function runnerContext({ runner, folders, secrets, vars }: Job): Record<string, string> {
  const isDebugging = (secrets.ACTIONS_STEP_DEBUG ?? vars.ACTIONS_STEP_DEBUG) === 'true';
  return {
    name: runner.name,
    os: SYSTEMS[platform()] ?? platform(),
    arch: ARCHITECTURES[arch()] ?? arch(),
    temp: folders.temp,
    tool_cache: runner.toolCache,
    environment: 'self-hosted',
    workspace: join(folders.workspace, '..'),
    ...(isDebugging && { debug: '1' }),
  };
}

/** The file with the payload of the event. */
export function eventFile({ folders }: Job): string {
  return join(folders.temp, 'event.json');
}

/** All variables of a step's program. The environment of the runner itself is not included. */
export function stepEnvironment(job: Job, scope: StepScope, { env, name, files, action }: StepEnvironment): Record<string, string> {
  const own: Record<string, string> = {
    HOME: job.folders.home,
    LANG: 'C.UTF-8',
    ...job.runner.environment,
    CI: 'true',
    ...Object.fromEntries(job.env),
    ...scope.env,
    ...env,
  };
  const path = [...job.path, own.PATH ?? job.executor.path].filter((part) => part !== '').join(delimiter);
  return {
    ...withoutNul(own),
    PATH: path,
    ...githubVariables(job, name, action),
    ...runnerVariables(job),
    ...files.variables,
    [TRACKING]: trackingId(job),
  };
}

/** How the processes of a job are found. */
export function trackingId({ runner, taskId }: Pick<Job, 'runner' | 'taskId'>): string {
  return `${runner.tracking}-${taskId}-`;
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/variables */
function githubVariables(job: Job, name: string, action: StepScope['action']): Record<string, string> {
  const text = (key: string) => textAt(job.github, key);
  const serverUrl = trimEnd(text('server_url'), '/');
  const copied =
    'actor base_ref event_name head_ref job ref ref_name ref_type repository repository_owner run_attempt run_id run_number sha';
  const token = text('gitea_runtime_token') || text('token');
  return {
    ...Object.fromEntries(copied.split(' ').map((key) => [`GITHUB_${key.toUpperCase()}`, text(key)])),
    GITHUB_ACTIONS: 'true',
    GITEA_ACTIONS: 'true',
    GITHUB_ACTION: name,
    GITHUB_ACTION_PATH: action?.folder ?? '',
    GITHUB_ACTION_REPOSITORY: action?.repository ?? '',
    GITHUB_ACTION_REF: action?.ref ?? '',
    GITHUB_API_URL: text('api_url'),
    GITHUB_SERVER_URL: serverUrl,
    GITHUB_GRAPHQL_URL: '',
    GITHUB_EVENT_PATH: eventFile(job),
    GITHUB_REF_PROTECTED: text('ref_protected') || 'false',
    GITHUB_REPOSITORY_ID: textAt(plainAt(plainAt(job.github, 'event'), 'repository'), 'id'),
    GITHUB_RETENTION_DAYS: text('retention_days') || '0',
    GITHUB_TRIGGERING_ACTOR: text('triggering_actor') || text('actor'),
    GITHUB_WORKFLOW: text('workflow'),
    GITHUB_WORKSPACE: job.folders.workspace,
    ACTIONS_RUNTIME_URL: `${serverUrl}/api/actions_pipeline/`,
    ACTIONS_RUNTIME_TOKEN: token,
    ACTIONS_RESULTS_URL: serverUrl,
    ...(job.cacheUrl !== undefined && { ACTIONS_CACHE_URL: job.cacheUrl }),
  };
}

function runnerVariables(job: Job): Record<string, string> {
  return Object.fromEntries(Object.entries(runnerContext(job)).map(([key, value]) => [`RUNNER_${key.toUpperCase()}`, value]));
}

/** No system takes NUL in a variable. */
function withoutNul(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([key, value]) => [key.replaceAll(/[\0=]/g, ''), value.replaceAll('\0', '')]));
}
