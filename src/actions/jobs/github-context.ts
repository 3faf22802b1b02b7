import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { ActionJob, ActionRun } from '../../database/tables/actions.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';

/** The part of a run that the context needs, also for a new one. */
export type RunSource = Pick<ActionRun, 'ref' | 'commit_sha' | 'event' | 'trigger_event' | 'event_payload' | 'workflow_id'> & {
  readonly id: number | string;
  readonly number: number | string;
};

interface PullPayload {
  readonly pull_request?: {
    readonly base?: { readonly ref: string; readonly label?: string; readonly sha: string } | null;
    readonly head?: { readonly ref: string } | null;
  } | null;
}

/**
 * The context `github` of expressions, without tokens: https://docs.github.com/en/actions/reference/workflows-and-actions/contexts
 * @param more.job left out for expressions of the workflow itself
 * @param more.event the payload, where it has been parsed already
 */
export function githubContext(
  { settings }: Pick<Context, 'settings'>,
  repository: Repository,
  actor: Pick<User, 'name'>,
  run: RunSource,
  more: { readonly job?: Pick<ActionJob, 'job_key' | 'attempt'> | undefined; readonly event?: unknown } = {},
): Record<string, unknown> {
  const { job } = more;
  const event = (more.event ?? JSON.parse(run.event_payload)) as PullPayload | null;
  const { base, head } = pullOf(run, event);
  const isTarget = run.trigger_event === 'pull_request_target' && base !== undefined;
  const ref = isTarget ? `refs/heads/${base.label ?? base.ref}` : run.ref;
  const { rootUrl } = settings.server;
  return {
    ...EMPTY,
    actor: actor.name,
    api_url: `${rootUrl}api/v1`,
    base_ref: base?.ref ?? '',
    event: event ?? {},
    event_name: run.trigger_event,
    gitea_default_actions_url: settings.actions.defaultActionsUrl === 'self' ? rootUrl.replace(/\/$/, '') : 'https://github.com',
    head_ref: head?.ref ?? '',
    job: job?.job_key ?? '',
    ref,
    ref_name: shortRef(ref),
    ref_protected: false,
    ref_type: ref.startsWith('refs/heads/') ? 'branch' : ref.startsWith('refs/tags/') ? 'tag' : '',
    repository: `${repository.owner.name}/${repository.name}`,
    repository_id: String(repository.id),
    repositoryUrl: repositoryHtmlUrl(settings, repository),
    repository_owner: repository.owner.name,
    run_attempt: job ? String(job.attempt) : '',
    run_id: String(run.id),
    run_number: String(run.number),
    secret_source: 'Actions',
    server_url: rootUrl,
    sha: isTarget ? base.sha : run.commit_sha,
    workflow: run.workflow_id,
  };
}

/** Values that only a runner knows. */
const EMPTY = {
  action: '',
  action_path: '',
  action_ref: '',
  action_repository: '',
  action_status: '',
  env: '',
  event_path: '',
  graphql_url: '',
  path: '',
  retention_days: '',
  triggering_actor: '',
  workspace: '',
};

function pullOf({ event }: RunSource, payload: PullPayload | null) {
  const pull = event.startsWith('pull_request') && event !== 'pull_request_comment' ? payload?.pull_request : undefined;
  return pull?.base && pull.head ? { base: pull.base, head: pull.head } : {};
}

/** A ref without its folder; for a pull request its number. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, '').replace(/^refs\/pull\/(\d+)\/head$/, '$1');
}
