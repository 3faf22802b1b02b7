import { notArchived } from '../../../access/requirements.ts';
import { presentTagProtection, presentTagProtections } from '../../../code/protections/present.ts';
import { tagRules } from '../../../code/protections/rules.ts';
import { CreateTagProtectionOption } from '../../../code/protections/schema.ts';
import {
  createTagProtection,
  deleteTagProtection,
  editTagProtection,
  getTagProtection,
} from '../../../code/protections/tag-protections.ts';
import type { Context } from '../../../context.ts';
import { bindValue } from '../../../http/bodies/body.ts';
import { pathId } from '../../../http/path-id.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { fault } from '../../components/fault.ts';
import { actionButton, field, postForm } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';

import type { RepositoryVisit } from '../../resource-pages.ts';
import { failed, formPath, type Problem, repositorySettingsPage } from './frame.ts';

interface TagRule {
  readonly name_pattern?: string | undefined;
  readonly whitelist_usernames?: readonly string[] | null | undefined;
  readonly whitelist_teams?: readonly string[] | null | undefined;
}

/** The rules that protect tags. */
export const tagProtectionPages: readonly AnyRoute[] = [
  ...repositorySettingsPage({
    page: 'tags',
    show: list,
    forms: {
      '': {
        needs: [notArchived],
        send: async (visit, context) => void (await createTagProtection(context, visit.repository, typed(visit))),
      },
      delete: {
        needs: [notArchived],
        isOneTransaction: true,
        send: ({ repository, fields }, context) => deleteTagProtection(context, repository, pathId(fields.get('id') ?? '')),
      },
    },
  }),
  ...repositorySettingsPage({
    page: 'tags',
    sub: ':id(^[0-9]+$)',
    show: editForm,
    forms: {
      '': {
        needs: [notArchived],
        send: async (visit, context) => void (await editTagProtection(context, visit.repository, idOf(visit), typed(visit))),
      },
    },
  }),
];

function idOf({ params }: RepositoryVisit): number {
  return pathId(params.id ?? '');
}

/** The values of a rule's form. */
function typed({ fields }: RepositoryVisit) {
  const names = (name: string) => (fields.get(name) ?? '').split(',').map((text) => text.trim());
  const given = (name: string) => names(name).filter((text) => text !== '');
  return bindValue(CreateTagProtectionOption, {
    name_pattern: fields.get('name_pattern')?.trim() ?? '',
    whitelist_usernames: given('whitelist_usernames'),
    whitelist_teams: given('whitelist_teams'),
  });
}

async function list(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository } = visit;
  const { manage: text, control } = view.text;
  const rules = await presentTagProtections(context, repository, await tagRules(context.db, repository.id));
  const remove = (id: number, name: string) =>
    actionButton(view, {
      action: formPath(visit, 'tags', 'delete'),
      label: text.removeShort,
      title: text.removeNamed(name),
      fields: { id },
      className: 'danger',
    });
  const rows = html`<ul class="rows box">${rules.map(
    ({
      id = 0,
      name_pattern: name = '',
      whitelist_usernames: users,
      whitelist_teams: teams,
    }) => html`<li><div><code><strong>${name}</strong></code> <span class="muted">${[...(users ?? []), ...(teams ?? [])].join(', ')}</span></div>
<span class="push buttons"><a class="button" href="${formPath(visit, 'tags', String(id))}" aria-label="${view.text.common.edit}: ${name}">${view.text.common.edit}</a>${remove(id, name)}</span></li>`,
  )}</ul>`;
  const add = html`${ruleFields(visit, problem ? shownAgain(visit) : {})}<button class="primary">${text.addRule}</button>`;
  return html`<p>${control.tagsHint}</p>${failed(view, problem, 'delete')}${rules.length > 0 ? rows : html`<p class="empty">${control.noTagRules}</p>`}
<h3>${text.addRule}</h3>${failed(view, problem, '')}${postForm(view, add, { action: formPath(visit, 'tags') })}`;
}

async function editForm(visit: RepositoryVisit, context: Context, problem?: Problem): Promise<Html> {
  const { view, repository } = visit;
  const rule = await presentTagProtection(context, repository, await getTagProtection(context, repository, idOf(visit)));
  const { save, cancel } = view.text.common;
  const form = html`${ruleFields(visit, problem ? shownAgain(visit) : rule)}<div class="buttons"><button class="primary">${save}</button>
<a class="button" href="${formPath(visit, 'tags')}">${cancel}</a></div>`;
  return html`<h3>${rule.name_pattern}</h3>${problem && fault(view, problem.error.message)}
${postForm(view, form, { action: formPath(visit, 'tags', String(rule.id)) })}`;
}

function shownAgain({ fields }: RepositoryVisit): TagRule {
  const one = (name: string) => [fields.get(name) ?? ''];
  return {
    name_pattern: fields.get('name_pattern'),
    whitelist_usernames: one('whitelist_usernames'),
    whitelist_teams: one('whitelist_teams'),
  };
}

function ruleFields({ view, repository }: RepositoryVisit, rule: TagRule): Html {
  const { control: text, manage } = view.text;
  const names = (list: readonly string[] | null | undefined) => (list ?? []).join(', ');
  const teams = field({ name: 'whitelist_teams', label: manage.protection.teams, value: names(rule.whitelist_teams) });
  return html`${field({ name: 'name_pattern', label: text.tagPattern, value: rule.name_pattern, isRequired: true, maxLength: 1000, hint: text.tagPatternHint })}
${field({ name: 'whitelist_usernames', label: manage.protection.users, value: names(rule.whitelist_usernames), hint: text.tagUsersHint })}
${repository.owner.type === 'organization' && teams}`;
}
