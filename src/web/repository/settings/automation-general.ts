import {
  addCollaborativeOwner,
  listCollaborativeOwners,
  removeCollaborativeOwner,
} from '../../../actions/settings/collaborative-owners.ts';
import { readTokenSettings, removeTokenSettings, setTokenSettings, tokenSettingsIn } from '../../../actions/settings/token-settings.ts';
import type { Context } from '../../../context.ts';
import { pathId } from '../../../http/path-id.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { editRepository } from '../../../repositories/edit/edit.ts';
import { isUnitOffered } from '../../../repositories/units.ts';
import { actionButton, checkBox, field, postForm } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import { tokenFields } from '../../manage/job-tokens.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { path } from '../../view.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';

const PAGE = 'automation';

/** Whether a repository has automation, the permissions of job tokens, and access to its actions. */
export const automationGeneralPages: readonly AnyRoute[] = repositorySettingsPage({
  page: PAGE,
  show,
  forms: {
    actions_unit: {
      send: async ({ repository, fields }, context) => {
        await editRepository(context, repository, { has_actions: fields.get('enable_actions') === 'on' });
      },
    },
    token_permissions: { isOneTransaction: true, send: changeTokens },
    'collaborative_owner/add': {
      send: ({ repository, fields }, context) => addCollaborativeOwner(context, repository, fields.get('collaborative_owner') ?? ''),
    },
    'collaborative_owner/delete': {
      send: ({ repository, fields }, context) => removeCollaborativeOwner(context, repository, pathId(fields.get('id') ?? '')),
    },
  },
});

async function changeTokens({ repository: { id }, fields }: RepositoryVisit, context: Context): Promise<void> {
  if (fields.get('override_owner_config') === 'on') await setTokenSettings(context, { repositoryId: id }, readTokenSettings(fields));
  else await removeTokenSettings(context, id);
}

async function show(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository, fields } = visit;
  const { jobTokens: text, manage, common } = view.text;
  const isOffered = isUnitOffered(context.settings, 'actions');
  const isOn = repository.units.actions !== undefined;
  const unit = html`${checkBox({ name: 'enable_actions', label: text.enable, isChecked: isOn })}<button class="primary">${common.save}</button>`;
  const tokens = problem?.form === 'token_permissions' ? problem : undefined;
  const { isOwn, ...settings } = await tokenSettingsIn(context, repository);
  const override = checkBox({
    name: 'override_owner_config',
    label: text.override,
    hint: text.overrideHint,
    isChecked: tokens ? fields.get('override_owner_config') === 'on' : isOwn,
  });
  const rest = html`<h3>${text.title}</h3>${failed(view, problem, 'token_permissions')}
${postForm(view, html`${override}${tokenFields(visit, settings, tokens)}`, { action: formPath(visit, PAGE, 'token_permissions') })}
${repository.is_private && (await collaborativeOwners(visit, context, problem))}`;
  return html`<h3>${manage.units.actions}</h3>${failed(view, problem, 'actions_unit')}
${isOffered ? postForm(view, unit, { action: formPath(visit, PAGE, 'actions_unit') }) : html`<p class="notice">${text.notOffered}</p>`}
${isOn && rest}`;
}

async function collaborativeOwners(visit: RepositoryVisit, context: Context, problem: Problem | undefined): Promise<Html> {
  const { view, repository, fields } = visit;
  const { jobTokens: text, manage } = view.text;
  const owners = await listCollaborativeOwners(context, repository);
  const action = (form: 'add' | 'delete') => formPath(visit, PAGE, `collaborative_owner/${form}`);
  const remove = (id: number) =>
    actionButton(view, { action: action('delete'), label: manage.removeShort, fields: { id }, className: 'danger' });
  const list = html`<ul class="rows box">${owners.map(
    ({ id, name }) =>
      html`<li><a href="${path(view, encodeURIComponent(name))}"><strong>${name}</strong></a> <span class="push">${remove(id)}</span></li>`,
  )}</ul>`;
  const value = problem?.form === 'collaborative_owner/add' ? fields.get('collaborative_owner') : '';
  const form = html`${field({ name: 'collaborative_owner', label: text.owner, value, isRequired: true, maxLength: 255, autocomplete: 'off' })}<button>${text.addOwner}</button>`;
  return html`<h3>${text.owners}</h3><p>${text.ownersHint}</p>${failed(view, problem, 'collaborative_owner/add')}${failed(view, problem, 'collaborative_owner/delete')}
${owners.length === 0 ? html`<p class="empty">${text.noOwners}</p>` : list}${postForm(view, form, { action: action('add') })}`;
}
