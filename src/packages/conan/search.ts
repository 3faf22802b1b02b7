import { invalid } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { json } from './json.ts';

/** Recipes that a search finds. */
const MAX_RESULTS = 1000;
/** Length limit of a query in characters: every recipe is compared with it. */
const MAX_QUERY = 500;

/** `GET /conans/search?q=name/version@user/channel`, where `*` stands for any text. */
export async function searchRecipes({ context, owner, query }: PackageCall) {
  const text = (query.get('q') ?? '').trim();
  if (text.length > MAX_QUERY) throw invalid(`the query has more than ${MAX_QUERY} characters`);
  const wanted = text.replaceAll('@', '/').split('/');
  const [name, version, user, channel] = wanted.map((part) => (part === '' ? undefined : matcherOf(part)));
  const rows = await context.db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select(['packages.name', 'package_versions.version', 'package_files.composite_key as key'])
    .distinct()
    .where('package_versions.owner_id', '=', owner.id)
    .where('package_versions.type', '=', 'conan')
    .where('package_versions.is_internal', '=', false)
    .where('package_files.is_lead', '=', true)
    .execute();
  const found = new Set<string>();
  for (const row of rows) {
    const [ofUser = '', ofChannel = ''] = row.key.split('|');
    const isWanted = name?.(row.name) !== false && version?.(row.version) !== false;
    if (!isWanted || user?.(ofUser) === false || channel?.(ofChannel) === false) continue;
    found.add(`${row.name}/${row.version}${ofUser && ofChannel ? `@${ofUser}/${ofChannel}` : ''}`);
    if (found.size >= MAX_RESULTS) break;
  }
  return json({ results: [...found] });
}

/** Whether a text is the wanted one, where `*` stands for any text; case is ignored. */
function matcherOf(wanted: string): (text: string) => boolean {
  const parts = wanted.toLowerCase().split(/\*+/);
  return (text) => {
    const lower = text.toLowerCase();
    if (parts.length === 1) return lower === parts[0];
    const [first = '', ...middle] = parts;
    const last = middle.pop() ?? '';
    if (!lower.startsWith(first) || !lower.endsWith(last) || lower.length < first.length + last.length) return false;
    let at = first.length;
    for (const part of middle) {
      const next = lower.indexOf(part, at);
      if (next < 0 || next + part.length > lower.length - last.length) return false;
      at = next + part.length;
    }
    return true;
  };
}
