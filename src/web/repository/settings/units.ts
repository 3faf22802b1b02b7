import type { Context } from '../../../context.ts';
import type { UnitName } from '../../../database/tables/repositories.ts';
import { bindValue } from '../../../http/bodies/body.ts';
import { editRepository } from '../../../repositories/edit/edit.ts';
import { EditRepoOption } from '../../../repositories/schema.ts';
import { defaultPulls, isUnitOffered } from '../../../repositories/units.ts';
import { checkBox, postForm, select } from '../../components/form.ts';
import { type Html, html } from '../../html.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import { formPath, type Problem } from './frame.ts';

/** The units, by the names of the fields that switch them. */
const UNITS = {
  has_code: 'code',
  has_issues: 'issues',
  has_pull_requests: 'pulls',
  has_releases: 'releases',
  has_wiki: 'wiki',
  has_projects: 'projects',
  has_packages: 'packages',
  has_actions: 'actions',
} as const;

/** The ways to merge, by the names of the fields that allow them. */
const STYLES = {
  allow_merge_commits: ['merge', 'allowMerge'],
  allow_rebase: ['rebase', 'allowRebase'],
  allow_rebase_explicit: ['rebase-merge', 'allowRebaseMerge'],
  allow_squash_merge: ['squash', 'allowSquash'],
  allow_fast_forward_only_merge: ['fast-forward-only', 'allowFastForwardOnly'],
} as const;
const STYLE_NAMES = Object.values(STYLES).map(([style]) => style);

type Unit = keyof typeof UNITS;

/** External trackers and wikis replace the units. */
function isOn({ repository: { units } }: RepositoryVisit, field: Unit): boolean {
  const name: UnitName = UNITS[field];
  return name in units || (name === 'issues' && 'ext_issues' in units) || (name === 'wiki' && 'ext_wiki' in units);
}

/** Enables and disables units, and sets how pull requests are merged. */
export async function changeUnits(visit: RepositoryVisit, context: Context): Promise<void> {
  const { repository, fields } = visit;
  const wanted = (name: string) => fields.get(name) === 'on';
  // A unit that stays as it is is not said: an external tracker would become an internal one.
  const switched = (Object.keys(UNITS) as Unit[]).filter((field) => wanted(field) !== isOn(visit, field));
  const style = STYLE_NAMES.find((name) => name === fields.get('default_merge_style'));
  const merging = {
    ...Object.fromEntries(Object.keys(STYLES).map((field) => [field, wanted(field)])),
    default_delete_branch_after_merge: wanted('default_delete_branch_after_merge'),
    ...(style && { default_merge_style: style }),
  };
  const options = bindValue(EditRepoOption, {
    ...Object.fromEntries(switched.map((field) => [field, wanted(field)])),
    ...(wanted('has_pull_requests') && merging),
  });
  await editRepository(context, repository, options);
}

/** Which units a repository has, and how pull requests are merged. */
export function unitForm(visit: RepositoryVisit, { settings }: Context, problem?: Problem): Html {
  const { view, repository, fields } = visit;
  const text = view.text.manage;
  const isAgain = problem?.form === 'units';
  const pulls = repository.units.pulls ?? defaultPulls(settings);
  const box = (name: string, label: string, isChecked: boolean) =>
    checkBox({ name, label, isChecked: isAgain ? fields.get(name) === 'on' : isChecked });
  const units = (Object.keys(UNITS) as Unit[]).filter((field) => isUnitOffered(settings, UNITS[field]));
  const styles = Object.entries(STYLES).map(([name, [style, key]]) => box(name, text.styles[style], pulls[key]));
  const chosen = isAgain ? (fields.get('default_merge_style') ?? '') : pulls.defaultMergeStyle;
  return postForm(
    view,
    html`<fieldset><legend>${text.features}</legend>${units.map((name) => box(name, text.units[UNITS[name]], isOn(visit, name)))}</fieldset>
<fieldset><legend>${text.merging}</legend>${styles}
${select({ name: 'default_merge_style', label: text.defaultStyle, value: chosen, options: STYLE_NAMES.map((style) => [style, text.styles[style]]) })}
${box('default_delete_branch_after_merge', text.deleteBranch, pulls.defaultDeleteBranchAfterMerge)}</fieldset>
<button class="primary">${view.text.common.save}</button>`,
    { action: formPath(visit, 'general', 'units') },
  );
}
