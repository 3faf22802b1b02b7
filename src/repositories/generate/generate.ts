import { findRepository, type Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { customHooksOf, readCustomHook, writeCustomHook } from '../../git/protocol/custom-hooks.ts';
import type { GitRepository } from '../../git/repository.ts';
import { unprocessable } from '../../http/errors.ts';
import { copyRepositoryAvatar } from '../avatar/avatar.ts';
import { createRepository } from '../create.ts';
import { setTopics } from '../topics/topics.ts';
import { copyContent } from './content.ts';
import type { TemplateParts } from './parts.ts';

export interface GenerateOptions {
  name: string;
  description: string;
  isPrivate: boolean;
  defaultBranch: string;
  parts: TemplateParts;
}

/**
 * Creates a repository from a template, with the requested parts. Labels, protections and webhooks are copied by their features, which handle
 * `repository.creating`.
 * @throws HttpError 422 for a repository that is not a template, and as {@link createRepository}
 */
export async function generateRepository(
  context: Context,
  template: Repository,
  owner: User,
  options: GenerateOptions,
): Promise<Repository> {
  if (!template.is_template) throw unprocessable('this is not a template repo');
  const { name, description, isPrivate, defaultBranch, parts } = options;
  const made = await createRepository(context, owner, {
    name,
    description,
    isPrivate,
    defaultBranch: defaultBranch || (parts.content ? template.default_branch : ''),
    trustModel: template.trust_model,
    objectFormat: template.object_format,
    columns: { template_id: template.id },
    template: { repository: template, parts },
    fill: async (repository, folder) => {
      if (parts.gitHooks) await copyHooks(context.git.locate(template), folder);
      return parts.content && !template.is_empty ? copyContent(context, template, repository, folder) : {};
    },
  });
  if (parts.topics) await setTopics(context, made, template.topics);
  if (parts.avatar && template.avatar) await copyRepositoryAvatar(context, template, made);
  return (await findRepository(context.db, made.id)) ?? made;
}

async function copyHooks(from: GitRepository, to: GitRepository): Promise<void> {
  for (const hook of customHooksOf(from)) await writeCustomHook(to, hook, (await readCustomHook(from, hook)) ?? '');
}
