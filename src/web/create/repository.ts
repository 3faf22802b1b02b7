import { signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { isObjectFormat } from '../../git/repository.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { HttpError } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { listGitignoreTemplates } from '../../instance/templates/gitignores.ts';
import { listLabelTemplates } from '../../instance/templates/labels.ts';
import { listLicenses } from '../../instance/templates/licenses.ts';
import { listOrganizationsOf } from '../../organizations/list.ts';
import { createRepository } from '../../repositories/create.ts';
import { mayCreateIn, organizationToCreateIn } from '../../repositories/create-in-organization.ts';
import { CreateRepoOption } from '../../repositories/schema.ts';
import { fault } from '../components/fault.ts';
import { checkBox, field, postForm, select } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { type Reply, seeOther, type Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { path } from '../view.ts';

/** Organizations that can be chosen as the owner. */
const MAX_OWNERS = 200;

/** Making a repository. */
export const repositoryCreationPages: readonly AnyRoute[] = plainPage({
  path: '/repo/create',
  needs: [signedIn],
  get: (visit, context) => form(visit, context),
  post: create,
});

async function create(visit: Visit, context: Context): Promise<Reply> {
  const { fields } = visit;
  const isOn = (name: string) => fields.get(name) === 'on';
  try {
    const body = bindValue(CreateRepoOption, {
      name: fields.get('name')?.trim() ?? '',
      description: fields.get('description') ?? '',
      default_branch: fields.get('default_branch')?.trim() ?? '',
      gitignores: fields.get('gitignore') ?? '',
      license: fields.get('license') ?? '',
      issue_labels: fields.get('labels') ?? '',
    });
    const owner = await ownerOf(context, fields.get('owner') ?? '');
    const format = fields.get('format') ?? 'sha1';
    const repository = await createRepository(context, owner, {
      name: body.name,
      description: body.description ?? '',
      isPrivate: isOn('private'),
      isTemplate: isOn('template'),
      autoInit: isOn('init'),
      readme: 'Default',
      gitignores: body.gitignores ?? '',
      license: body.license ?? '',
      issueLabels: body.issue_labels ?? '',
      defaultBranch: body.default_branch ?? '',
      objectFormat: isObjectFormat(format) ? format : 'sha1',
    });
    return seeOther(context, `${encodeURIComponent(owner.name)}/${encodeURIComponent(repository.name)}`);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status === 404) throw error;
    return form(visit, context, error);
  }
}

async function ownerOf(context: Context, name: string): Promise<User> {
  const actor = signedInActor(context);
  return name === '' || name === actor.name ? actor : organizationToCreateIn(context, name, actor);
}

async function form(visit: Visit, context: Context, problem?: HttpError): Promise<Document> {
  const { view, fields } = visit;
  const text = view.text.people;
  const { settings } = context;
  const actor = signedInActor(context);
  const { organizations } = await listOrganizationsOf(context, actor, { page: 1, limit: MAX_OWNERS, offset: 0 });
  const allowed = await Promise.all(organizations.map((organization) => mayCreateIn(context, organization, actor)));
  const owners = [actor, ...organizations.filter((_, index) => allowed[index])].map(({ name }) => [name, name] as const);
  const choices = (names: readonly string[]) => [['', view.text.common.none] as const, ...names.map((name) => [name, name] as const)];
  const isOn = (name: string, usual: boolean) => (fields.has('name') ? fields.get(name) === 'on' : usual);
  return {
    title: text.createRepository,
    status: problem ? 422 : 200,
    body: html`${settings.migrations.enabled && html`<p><a href="${path(view, 'repo/migrate')}">${view.text.migration.link}</a></p>`}${problem && fault(view, problem.message)}${postForm(
      view,
      html`${select({ name: 'owner', label: text.owner, value: fields.get('owner') ?? actor.name, options: owners })}
${field({ name: 'name', label: text.name, value: fields.get('name'), isRequired: true, isFirst: true, maxLength: 100, hint: text.nameHint })}
${field({ name: 'description', label: text.description, value: fields.get('description'), maxLength: 2048 })}
${checkBox({ name: 'private', label: text.isPrivate, hint: text.isPrivateHint, isChecked: isOn('private', settings.repository.forcePrivate || settings.repository.defaultVisibility === 'private') })}
${checkBox({ name: 'init', label: text.autoInit, hint: text.autoInitHint, isChecked: isOn('init', false) })}
<details class="field"><summary>${view.text.common.settings}</summary>
${select({ name: 'gitignore', label: text.gitignore, value: fields.get('gitignore') ?? '', options: choices(listGitignoreTemplates()) })}
${select({ name: 'license', label: text.license, value: fields.get('license') ?? '', options: choices(listLicenses(settings.repository.preferredLicenses)) })}
${select({ name: 'labels', label: text.labels, value: fields.get('labels') ?? '', options: choices(listLabelTemplates()) })}
${field({ name: 'default_branch', label: text.defaultBranch, value: fields.get('default_branch') ?? settings.repository.defaultBranch, maxLength: 100 })}
${select({
  name: 'format',
  label: text.objectFormat,
  value: fields.get('format') ?? 'sha1',
  options: [
    ['sha1', 'SHA-1'],
    ['sha256', 'SHA-256'],
  ],
})}
${checkBox({ name: 'template', label: text.isTemplate, hint: text.isTemplateHint, isChecked: isOn('template', false) })}
</details>
<button class="primary">${text.createRepository}</button>`,
    )}`,
  };
}
