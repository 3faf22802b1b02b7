import type { RepositoryAccess } from '../../access/repository-access.ts';
import { mayEditGitHooks } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';

/** The parts to copy from a template. */
export interface TemplateParts {
  content: boolean;
  topics: boolean;
  gitHooks: boolean;
  webhooks: boolean;
  avatar: boolean;
  labels: boolean;
  protections: boolean;
  /** With `protections`: the users and teams in them. */
  whitelists: boolean;
}

/**
 * The requested parts that the caller may copy. Webhooks and the users in protections need the rights of the template's administrators, who
 * see them there; Git hooks need the right to write such scripts.
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
