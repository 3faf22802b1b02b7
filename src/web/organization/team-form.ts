import type { FormFields } from '../../http/bodies/fields.ts';
import type { Shape } from '../../http/schema.ts';
import type { Team as TeamShape } from '../../organizations/teams/schema.ts';
import { TEAM_UNITS, unitKey } from '../../organizations/teams/units.ts';
import { checkBox, field, select } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** The values of a team's form. */
export type ShownTeam = Pick<
  Shape<typeof TeamShape>,
  'name' | 'description' | 'includes_all_repositories' | 'can_create_org_repo' | 'units_map'
> & { readonly permission: string };

/** A team to create. */
export const FRESH_TEAM: ShownTeam = {
  name: '',
  description: '',
  includes_all_repositories: false,
  can_create_org_repo: false,
  permission: 'none',
  units_map: Object.fromEntries(TEAM_UNITS.map((unit) => [unitKey(unit), 'read'])),
};

/** The form of a team, in the format of an API request. */
export function readTeam(fields: FormFields): ShownTeam {
  const isAdmin = fields.get('permission') === 'admin';
  return {
    name: fields.get('name')?.trim() ?? '',
    description: fields.get('description') ?? '',
    includes_all_repositories: fields.get('repo_access') === 'all',
    can_create_org_repo: fields.get('can_create_org_repo') === 'on',
    permission: isAdmin ? 'admin' : 'none',
    units_map: isAdmin ? {} : Object.fromEntries(TEAM_UNITS.map((unit) => [unitKey(unit), fields.get(`unit_${unit}`) ?? 'none'])),
  };
}

/** The fields of a team. Of the team of owners only the description can be changed. */
export function teamFields(view: View, shown: ShownTeam, { isOwners }: { isOwners: boolean }): Html {
  const { owners: text, manage } = view.text;
  const description = field({
    name: 'description',
    label: manage.description,
    value: shown.description,
    maxLength: 255,
    autocomplete: 'off',
  });
  if (isOwners) return html`<input type="hidden" name="name" value="${shown.name}"><p>${text.ownersTeamHint}</p>${description}`;
  const access = [['selected', text.selectedRepositories] as const, ['all', text.allRepositories] as const];
  const levels = [['none', text.byUnit] as const, ['admin', text.administrators] as const];
  return html`${field({ name: 'name', label: manage.teamName, value: shown.name, isRequired: true, maxLength: 255, hint: text.teamNameHint, autocomplete: 'off' })}
${description}
${select({ name: 'repo_access', label: text.repositoryAccess, value: shown.includes_all_repositories ? 'all' : 'selected', options: access })}
${checkBox({ name: 'can_create_org_repo', label: text.mayCreate, isChecked: shown.can_create_org_repo })}
${select({ name: 'permission', label: manage.permission, value: shown.permission === 'admin' ? 'admin' : 'none', options: levels, hint: text.permissionHint })}
<fieldset><legend>${text.units}</legend><table class="scopes"><tbody>${TEAM_UNITS.map((unit) => unitRow(view, shown, unit))}</tbody></table></fieldset>`;
}

function unitRow({ text: { owners: text } }: View, { units_map: units }: ShownTeam, unit: (typeof TEAM_UNITS)[number]): Html {
  const isElsewhere = unit === 'ext_issues' || unit === 'ext_wiki';
  const levels = isElsewhere ? (['none', 'read'] as const) : (['none', 'read', 'write'] as const);
  const current = units?.[unitKey(unit)] ?? 'none';
  return html`<tr><th scope="row"><label for="u-${unit}">${text.unitNames[unit as keyof typeof text.unitNames]}</label></th>
<td><select id="u-${unit}" name="unit_${unit}">${levels.map(
    (level) => html`<option value="${level}"${level === current && html` selected`}>${text.levels[level]}</option>`,
  )}</select></td></tr>`;
}
