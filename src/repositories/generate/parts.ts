import type { RepositoryAccess } from '../../access/repository-access.ts';
import { mayEditGitHooks } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';

/** What comes along from a template. */
export interface TemplateParts {
  content: boolean;
  topics: boolean;
  gitHooks: boolean;
  webhooks: boolean;
  avatar: boolean;
  labels: boolean;
  protections: boolean;
  /** With `protections`: the users and teams that they name. */
  whitelists: boolean;
}

/**
 * What the caller gets of the parts that were asked for. Webhooks, and whom protections name, come along for who administers the template and
 * so sees them there; Git hooks for who may write such scripts as well. The others get a repository without them.
 */
export function permittedParts(context: Context, access: RepositoryAccess, requested: Omit<TemplateParts, 'whitelists'>): TemplateParts {
  const { isAdmin } = access;
  return {
    ...requested,
    gitHooks: requested.gitHooks && isAdmin && mayEditGitHooks(context),
    webhooks: requested.webhooks && isAdmin,
    whitelists: isAdmin,
  };
}
