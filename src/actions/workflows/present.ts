import type { Repository } from '../../access/find-repository.ts';
import { escapePath } from '../../code/escape-path.ts';
import type { Context } from '../../context.ts';
import { readCommit } from '../../git/objects/commits.ts';
import { identityTime } from '../../git/objects/identity.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../repositories/urls.ts';
import { disabledWorkflows } from './disabled.ts';
import { readWorkflows, type StoredWorkflow, type WorkflowFolder } from './files.ts';
import type { ActionWorkflow } from './schema.ts';

/**
 * Workflows of a commit on the wire, in their order.
 * @param ref where they were found, by its full name
 */
export async function presentWorkflows(
  context: Context,
  repository: Repository,
  { commit: commitId, folder }: WorkflowFolder,
  files: readonly StoredWorkflow[],
  ref: string,
): Promise<Shape<typeof ActionWorkflow>[]> {
  const { git, settings } = context;
  const commit = await readCommit(git.locate(repository), git.pool, commitId);
  const time = commit ? identityTime(commit.author) : wireTime(0);
  const disabled = await disabledWorkflows(context, repository.id);
  const [apiUrl, htmlUrl] = [repositoryApiUrl(settings, repository), repositoryHtmlUrl(settings, repository)];
  return (await readWorkflows(context, repository, files)).map(({ name, result }) => {
    const title = 'value' in result ? result.value.name : result.name;
    return {
      id: name,
      name: title || name,
      path: `${folder}/${name}`,
      state: disabled.has(name) ? 'disabled_manually' : 'active',
      created_at: time,
      updated_at: time,
      url: `${apiUrl}/actions/workflows/${escapePath(name)}`,
      html_url: `${htmlUrl}/src/${webPathOf(ref, commitId)}/${escapePath(`${folder}/${name}`)}`,
      badge_url: `${htmlUrl}/actions/workflows/${escapePath(name)}/badge.svg?branch=${encodeURIComponent(repository.default_branch)}`,
      deleted_at: wireTime(null),
    };
  });
}

function webPathOf(ref: string, commit: string): string {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? [];
  return name === undefined ? `commit/${commit}` : `${kind === 'heads' ? 'branch' : 'tag'}/${escapePath(name)}`;
}
