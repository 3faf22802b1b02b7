import { findUser } from '../../access/find-user.ts';
import { loadTemplate } from '../../access/load.ts';
import { isOrganizationVisible } from '../../access/organization-visibility.ts';
import { ownerAccess } from '../../access/repository-access.ts';
import { canRead, signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { forbidden, unprocessable } from '../../http/errors.ts';
import { HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { mayCreateIn } from '../create-in-organization.ts';
import { presentRepository } from '../present.ts';
import { Repository } from '../schema.ts';
import { generateRepository } from './generate.ts';
import { permittedParts } from './parts.ts';
import { GenerateRepoOption } from './schema.ts';

/** The owner of the new repository; undefined when the caller cannot see an account of this name. */
async function findOwner(context: Context, name: string): Promise<User | undefined> {
  const actor = signedInActor(context);
  if (name === actor.name) return actor;
  const owner = await findUser(context.db, name);
  if (!owner || !(await isOrganizationVisible(context, owner, actor))) return undefined;
  if (!actor.is_admin && owner.type !== 'organization') throw forbidden('Only admin can generate repository for other user.');
  if (owner.type === 'organization' && !(await mayCreateIn(context, owner, actor))) {
    throw forbidden('Given user is not allowed to create repository in organization.');
  }
  return owner;
}

/** Repositories from templates. */
export const generateRoutes: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/repos/:template_owner/:template_repo/generate',
    id: 'generateRepo',
    loads: loadTemplate,
    redirects: [301, 307],
    summary: 'Creates a repository from a template',
    scope: 'repository',
    needs: [signedIn, canRead('code')],
    body: GenerateRepoOption,
    responses: { 201: Repository },
    also: [409],
    handle: async ({ repository: template, access, body }, context) => {
      if (!template.is_template) throw unprocessable('this is not a template repo');
      const parts = {
        content: body.git_content ?? false,
        topics: body.topics ?? false,
        gitHooks: body.git_hooks ?? false,
        webhooks: body.webhooks ?? false,
        avatar: body.avatar ?? false,
        labels: body.labels ?? false,
        protections: body.protected_branch ?? false,
      };
      if (!Object.values(parts).includes(true)) throw unprocessable('must select at least one template item');
      const owner = await findOwner(context, body.owner ?? '');
      if (!owner) return new HttpResponse({ error: `request owner \`${body.owner ?? ''}\` does not exist` }, { status: 404 });
      const made = await generateRepository(context, template, owner, {
        name: body.name,
        description: body.description ?? '',
        isPrivate: body.private ?? false,
        defaultBranch: body.default_branch ?? '',
        parts: permittedParts(context, access, parts),
      });
      // As with forks, the response shows the state before the caller begins to watch; it also lacks the topics, which are set after it.
      return presentRepository(context, { ...made, watchers_count: 0, topics: [] }, ownerAccess(made));
    },
  }),
];
