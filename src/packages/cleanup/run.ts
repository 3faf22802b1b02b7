import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { PackageType } from '../../database/tables/package-types.ts';
import type { PackageCleanupRuleRow, PackageRow, VersionRow } from '../../database/tables/packages.ts';
import type { PackageFormat } from '../protocol/format.ts';
import { deleteVersion } from '../registry/delete.ts';
import { VERSION_COLUMNS } from '../registry/find.ts';
import { chosenOf } from './rules.ts';

/** The versions that each format exempts from cleanup, by type. */
export type ExemptVersions = ReadonlyMap<PackageType, Pick<PackageFormat, 'exempt'>>;

/** How many packages and rules are read at once. */
const BATCH = 100;
/** Versions for which a format is asked at once what is exempt. */
const AT_ONCE = 500;
const DAY = 24 * 60 * 60;

/** Part of the task `cleanup_packages`: runs the enabled rules of all owners. A rule that fails does not stop the others. */
export async function applyRules(context: Context, formats: ExemptVersions, signal: AbortSignal): Promise<void> {
  for (let after = 0; ; ) {
    const rules = await context.db
      .selectFrom('package_cleanup_rules')
      .selectAll()
      .where('enabled', '=', true)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const rule of rules) await applyRule(context, formats, rule, signal);
    after = rules.at(-1)?.id ?? after;
    if (rules.length < BATCH) return;
  }
}

async function applyRule(context: Context, formats: ExemptVersions, rule: PackageCleanupRuleRow, signal: AbortSignal): Promise<void> {
  try {
    for await (const version of versionsToRemove(context, formats, rule)) {
      signal.throwIfAborted();
      await deleteVersion(context, version);
    }
  } catch (error) {
    signal.throwIfAborted();
    context.log.error({ err: error, rule: rule.id }, 'a cleanup rule of packages could not be applied');
  }
}

/** The versions that a rule deletes, package by package. */
export async function* versionsToRemove(
  context: Context,
  formats: ExemptVersions,
  rule: PackageCleanupRuleRow,
): AsyncGenerator<VersionRow> {
  for (let after = 0; ; ) {
    const packages = await context.db
      .selectFrom('packages')
      .selectAll()
      .where('owner_id', '=', rule.owner_id)
      .where('type', '=', rule.type)
      .where('is_internal', '=', false)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const row of packages) yield* versionsOfPackage(context, formats, rule, row);
    after = packages.at(-1)?.id ?? after;
    if (packages.length < BATCH) return;
  }
}

async function* versionsOfPackage(
  context: Context,
  formats: ExemptVersions,
  rule: PackageCleanupRuleRow,
  row: PackageRow,
): AsyncGenerator<VersionRow> {
  const before = now() - rule.remove_days * DAY;
  const versions = await context.db
    .selectFrom('package_versions')
    .select(VERSION_COLUMNS)
    .where('package_id', '=', row.id)
    .where('is_internal', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(rule.keep_count)
    .limit(Number.MAX_SAFE_INTEGER)
    .execute();
  const old = versions.filter(({ created_at }) => created_at <= before);
  const nameOf = ({ lower_version }: VersionRow) => (rule.match_full_name ? `${row.lower_name}/${lower_version}` : lower_version);
  const chosen = await chosenOf(context, rule, old.map(nameOf));
  const wanted = old.filter((_, index) => chosen[index]);
  const gone = new Set<number>();
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE);
    const isExempt = await formats.get(rule.type)?.exempt?.(some, context);
    for (const version of some) {
      if (isExempt?.(version, gone)) continue;
      gone.add(version.id);
      yield version;
    }
  }
}
