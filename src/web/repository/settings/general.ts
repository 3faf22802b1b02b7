import type { Context } from '../../../context.ts';
import { listRefs, readRef } from '../../../git/refs/refs.ts';
import { bindValue } from '../../../http/bodies/body.ts';
import { unprocessable } from '../../../http/errors.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { editRepository } from '../../../repositories/edit/edit.ts';
import { EditRepoOption } from '../../../repositories/schema.ts';
import { checkBox, field, postForm, select, textArea } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { dangerForms, dangerZone } from './danger-zone.ts';
import { failed, formPath, type Problem, repositorySettingsPage, settingsPath } from './frame.ts';
import { picture, pictureForms } from './picture.ts';
import { changeUnits, unitForm } from './units.ts';

/** Bytes of the form: a description can have 2048 characters, each of them escaped. */
const MAX_BYTES = 64 * 1024;
/** Branches that are offered as a list; among more than that, one is typed. */
const MAX_LISTED = 500;
const PREFIX = 'refs/heads/';

/** The general settings of a repository, its units, and its deletion. */
export const generalSettingsPages: readonly AnyRoute[] = repositorySettingsPage({
  page: 'general',
  maxBytes: MAX_BYTES,
  show: async (visit, context, problem) => html`${failed(visit.view, problem, '')}${await generalForm(visit, context, problem)}
${picture(visit, context, problem)}
${failed(visit.view, problem, 'units')}${unitForm(visit, context, problem)}
${dangerZone(visit, context, problem)}`,
  forms: { '': { send: change }, units: { send: changeUnits }, ...dangerForms, ...pictureForms },
});

async function change({ repository, fields }: RepositoryVisit, context: Context): Promise<string> {
  const options = bindValue(EditRepoOption, {
    name: fields.get('name')?.trim() ?? repository.name,
    description: fields.get('description') ?? repository.description,
    website: fields.get('website')?.trim() ?? repository.website,
    template: fields.get('template') === 'on',
    default_branch: fields.get('default_branch') ?? repository.default_branch,
  });
  const { default_branch: branch = '' } = options;
  const isThere = () => readRef(context.git.locate(repository), context.git.pool, PREFIX + branch);
  // The rule ignores a branch that is not there, as clients of the API rely on.
  if (!repository.is_empty && branch !== repository.default_branch && !(await isThere()))
    throw unprocessable('default_branch: no such branch');
  return settingsPath(await editRepository(context, repository, options), 'general');
}

async function generalForm(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const text = view.text.manage;
  const isAgain = problem?.form === '';
  const value = (name: 'name' | 'description' | 'website' | 'default_branch') => (isAgain ? (fields.get(name) ?? '') : repository[name]);
  const refs = repository.is_empty ? [] : await listRefs(context.git.locate(repository), context.git.pool, PREFIX);
  const branch = { name: 'default_branch', label: text.defaultBranch, value: value('default_branch') };
  const options = refs.map(({ name }) => [name.slice(PREFIX.length), name.slice(PREFIX.length)] as const);
  const isListed = refs.length > 0 && refs.length <= MAX_LISTED;
  return postForm(
    view,
    html`${field({ name: 'name', label: text.name, value: value('name'), isRequired: true, maxLength: 100, hint: text.nameHint })}
${textArea({ name: 'description', label: text.description, value: value('description'), maxLength: 2048, rows: 3 })}
${field({ name: 'website', label: text.website, value: value('website'), type: 'url', maxLength: 1024 })}
${isListed ? select({ ...branch, options }) : field({ ...branch, maxLength: 255 })}
${checkBox({ name: 'template', label: text.isTemplate, isChecked: isAgain ? fields.get('template') === 'on' : repository.is_template })}
<button class="primary">${view.text.common.save}</button>`,
    { action: formPath(visit, 'general') },
  );
}
