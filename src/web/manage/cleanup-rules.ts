import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { PACKAGE_TYPES } from '../../database/tables/package-types.ts';
import type { PackageCleanupRuleRow } from '../../database/tables/packages.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { unprocessable } from '../../http/errors.ts';
import type { AnyRoute } from '../../http/route.ts';
import { presentVersions } from '../../packages/api/present.ts';
import { createRule, deleteRule, editRule, findRule, listRules, type RuleTerms } from '../../packages/cleanup/rules.ts';
import { versionsToRemove } from '../../packages/cleanup/run.ts';
import { CreatePackageCleanupRuleOption, EditPackageCleanupRuleOption } from '../../packages/cleanup/schema.ts';
import { formatsByType } from '../../packages/formats.ts';
import { checkBox, field, postForm, select } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { localUrl } from '../view.ts';
import { failed, type Problem, type Section } from './section.ts';

const RULE = 'rules/:id(^[0-9]+$)';
const MAX_PATTERN = 255;

/** The owner of the rules, and the other parts of the list page. */
interface RuleOwner<V extends Visit> {
  readonly owner: (visit: V) => User;
  readonly rest?: (visit: V) => Html;
}

/** The rules by which old versions of an owner's packages are deleted. */
export function cleanupRulePages<V extends Visit>(section: Section<V>, { owner, rest }: RuleOwner<V>): readonly AnyRoute[] {
  const when = ({ packages }: Context['settings']) => packages.enabled;
  const found = (visit: V, context: Context) => findRule(context, owner(visit), Number(visit.params.id));
  return [
    ...section.pages({
      when,
      show: async (visit, context) => html`${ruleList(section, visit, await listRules(context, owner(visit)))}${rest?.(visit)}`,
    }),
    ...section.pages({
      when,
      sub: 'rules/add',
      show: async (visit, _, problem) => ruleForm(section, visit, undefined, problem),
      forms: {
        '': {
          isOneTransaction: true,
          send: (visit, context) => {
            const { type, ...terms } = bindValue(CreatePackageCleanupRuleOption, { type: visit.fields.get('type') ?? '', ...sent(visit) });
            return createRule(context, owner(visit), type, terms as RuleTerms).then(() => undefined);
          },
        },
      },
    }),
    ...section.pages({
      when,
      sub: RULE,
      show: async (visit, context, problem) => ruleForm(section, visit, await found(visit, context), problem),
      forms: {
        '': {
          isOneTransaction: true,
          send: async (visit, context) => {
            const { id } = await found(visit, context);
            if (visit.fields.get('action') === 'remove') await deleteRule(context, owner(visit), id);
            else await editRule(context, owner(visit), id, bindValue(EditPackageCleanupRuleOption, sent(visit)) as RuleTerms);
          },
        },
      },
    }),
    ...section.pages({
      when,
      sub: `${RULE}/preview`,
      show: async (visit, context) => preview(section, visit, context, { owner: owner(visit), rule: await found(visit, context) }),
    }),
  ];
}

/** @throws HttpError 422 for an invalid number */
function sent({ fields }: Visit) {
  const count = (name: string) => {
    const text = (fields.get(name) ?? '').trim();
    if (!/^\d{0,9}$/.test(text)) throw unprocessable(`[${name}]: has to be a whole number`);
    return Number(text);
  };
  return {
    enabled: fields.get('enabled') === 'on',
    match_full_name: fields.get('match_full_name') === 'on',
    keep_count: count('keep_count'),
    remove_days: count('remove_days'),
    keep_pattern: (fields.get('keep_pattern') ?? '').trim(),
    remove_pattern: (fields.get('remove_pattern') ?? '').trim(),
  };
}

function ruleList<V extends Visit>(section: Section<V>, visit: V, rules: readonly PackageCleanupRuleRow[]): Html {
  const text = visit.view.text.packageRules;
  const row = (
    rule: PackageCleanupRuleRow,
  ) => html`<li><div class="grow"><a href="${section.href(visit, `rules/${rule.id}`)}"><strong>${rule.type}</strong></a>
<span class="badge${rule.enabled && html` success`}">${rule.enabled ? text.on : text.off}</span><br><span class="muted">${termsOf(visit, rule).join(' · ')}</span></div>
<a class="button" href="${section.href(visit, `rules/${rule.id}/preview`)}">${text.preview}</a></li>\n`;
  return html`${section.heading(text.title)}<p>${text.hint}</p>
${rules.length === 0 ? html`<p class="empty">${text.none}</p>` : html`<ul class="rows box">${rules.map(row)}</ul>`}
<p><a class="button primary" href="${section.href(visit, 'rules/add')}">${text.add}</a></p>`;
}

/** A rule in words. */
function termsOf({ view }: Visit, rule: PackageCleanupRuleRow): string[] {
  const text = view.text.packageRules;
  return [
    ...(rule.keep_count > 0 ? [text.keeps(rule.keep_count)] : []),
    ...(rule.keep_pattern ? [text.keepsMatching(rule.keep_pattern)] : []),
    ...(rule.remove_days > 0 ? [text.removesOlder(rule.remove_days)] : []),
    ...(rule.remove_pattern ? [text.removesMatching(rule.remove_pattern)] : []),
  ];
}

function ruleForm<V extends Visit>(section: Section<V>, visit: V, rule: PackageCleanupRuleRow | undefined, problem?: Problem): Html {
  const { view, fields } = visit;
  const text = view.text.packageRules;
  const value = (name: keyof RuleTerms & string, kept: string | number | undefined) => (problem ? fields.get(name) : String(kept || ''));
  const box = (name: 'enabled' | 'match_full_name', label: string, isOn: boolean) =>
    checkBox({ name, label, isChecked: problem ? fields.get(name) === 'on' : isOn });
  const count = (name: 'keep_count' | 'remove_days', label: string, hint: string) =>
    field({ name, label, hint, value: value(name, rule?.[name]), inputMode: 'numeric', maxLength: 5 });
  const pattern = (name: 'keep_pattern' | 'remove_pattern', label: string, hint: string) =>
    field({ name, label, hint, value: value(name, rule?.[name]), maxLength: MAX_PATTERN, autocomplete: 'off' });
  const types = PACKAGE_TYPES.map((type) => [type, type] as const);
  const form = html`${rule ? html`<p>${text.type}: <strong>${rule.type}</strong></p>` : select({ name: 'type', label: text.type, value: problem ? (fields.get('type') ?? '') : 'generic', options: types })}
${box('enabled', text.enabled, rule?.enabled ?? false)}${box('match_full_name', text.fullName, rule?.match_full_name ?? false)}
<fieldset><legend>${text.keep}</legend>${count('keep_count', text.keepCount, text.keepCountHint)}${pattern('keep_pattern', text.keepPattern, text.patternHint)}</fieldset>
<fieldset><legend>${text.remove}</legend>${count('remove_days', text.removeDays, text.removeDaysHint)}${pattern('remove_pattern', text.removePattern, text.removePatternHint)}</fieldset>
<div class="buttons"><button class="primary" name="action" value="save">${rule ? view.text.common.save : text.add}</button>
${
  rule &&
  html`<a class="button" href="${section.href(visit, `rules/${rule.id}/preview`)}">${text.preview}</a>
<button class="danger" name="action" value="remove" formnovalidate>${text.removeRule}</button>`
}</div>`;
  const action = section.href(visit, rule ? `rules/${rule.id}` : 'rules/add');
  return html`<p><a href="${section.href(visit)}">${text.allRules}</a></p>${section.heading(rule ? text.edit : text.add)}${failed(view, problem, '')}
${postForm(view, form, { action })}`;
}

async function preview<V extends Visit>(
  section: Section<V>,
  visit: V,
  context: Context,
  { owner, rule }: { owner: User; rule: PackageCleanupRuleRow },
): Promise<Html> {
  const { view } = visit;
  const text = view.text.packageRules;
  const page = requestedPage(visit, context.settings);
  const versions = await Array.fromAsync(versionsToRemove(context, formatsByType, rule));
  const total = versions.length;
  const shown = await presentVersions(context, owner, versions.slice(page.offset, page.offset + page.limit));
  const rows = html`<ul class="rows box">${shown.map(
    (
      one,
    ) => html`<li><span class="grow"><a class="package-name" href="${localUrl(view, one.html_url)}">${one.name} <strong>${one.version}</strong></a></span>
<span class="muted nowrap">${timeAgo(view, one.created_at)}</span></li>\n`,
  )}</ul>`;
  return html`<p><a href="${section.href(visit, `rules/${rule.id}`)}">${text.backToRule(rule.type)}</a></p>
${section.heading(text.previewTitle)}<p>${text.previewHint(total)} ${!rule.enabled && text.previewOff}</p>${listOrEmpty(visit, page, { total, rows, empty: text.previewNone })}`;
}
