import { signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { forbidden, HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { canCreateOrganizations, createOrganization } from '../../organizations/create.ts';
import { CreateOrgOption } from '../../organizations/schema.ts';
import { fault } from '../components/fault.ts';
import { field, postForm, select } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { type Reply, seeOther, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';

const VISIBILITIES = ['public', 'limited', 'private'] as const;

/** Making an organization. */
export const organizationCreationPages: readonly AnyRoute[] = plainPage({
  path: '/org/create',
  needs: [signedIn],
  get: async (visit, context) => form(visit, context),
  post: create,
});

async function create(visit: Visit, context: Context): Promise<Reply> {
  const { fields } = visit;
  const visibility = VISIBILITIES.find((name) => name === fields.get('visibility')) ?? 'public';
  try {
    const body = bindValue(CreateOrgOption, {
      username: fields.get('name')?.trim() ?? '',
      full_name: fields.get('full_name') ?? '',
      description: fields.get('description') ?? '',
    });
    const { name } = await createOrganization(context, signedInActor(context), {
      name: body.username,
      fullName: body.full_name ?? '',
      description: body.description ?? '',
      visibility,
    });
    return seeOther(context, encodeURIComponent(name));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return form(visit, context, error);
  }
}

function form({ view, fields }: Visit, context: Context, problem?: HttpError): Document {
  const text = view.text.people;
  if (!canCreateOrganizations(context, signedInActor(context))) throw forbidden('user is not allowed to create organizations');
  const visibilities = VISIBILITIES.map((name) => [name, text.visibilities[name]] as const);
  return {
    title: text.createOrganization,
    status: problem ? 422 : 200,
    body: html`${problem && fault(view, problem.message)}${postForm(
      view,
      html`${field({ name: 'name', label: text.name, value: fields.get('name'), isRequired: true, isFirst: true, maxLength: 40, hint: text.nameHint })}
${field({ name: 'full_name', label: text.fullName, value: fields.get('full_name'), maxLength: 100 })}
${field({ name: 'description', label: text.description, value: fields.get('description'), maxLength: 255 })}
${select({ name: 'visibility', label: text.visibility, value: fields.get('visibility') ?? 'public', options: visibilities })}
<button class="primary">${text.createOrganization}</button>`,
    )}`,
  };
}
