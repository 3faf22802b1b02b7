import { invalid } from '../errors.ts';
import { objectOf, textOf } from '../protocol/values.ts';

/** What is known of an update: why there is one, and the packages that have it. */
export interface Update {
  readonly from: string;
  readonly status: string;
  readonly type: string;
  readonly version: string;
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  readonly description: string;
  readonly issued: { readonly date: string };
  readonly updated: { readonly date: string };
  readonly references: readonly Reference[];
  readonly pkg_list: readonly Collection[];
}

interface Reference {
  readonly href: string;
  readonly id: string;
  readonly title: string;
  readonly type: string;
}

interface Collection {
  readonly short: string;
  readonly packages: readonly UpdatedPackage[];
}

interface UpdatedPackage {
  readonly arch: string;
  readonly name: string;
  readonly release: string;
  readonly src: string;
  readonly version: string;
  readonly filename: string;
}

/** Updates of a version. */
const MAX_UPDATES = 1000;

/**
 * The updates of a request; values of other types count as empty, but for what tells updates apart.
 * @param now as `2024-03-01 10:00:00`, for those without a time
 * @throws PackageError 400 for anything but a list of objects, and for an id that is not a string
 */
export function parseUpdates(body: unknown, now: string): Update[] {
  if (!Array.isArray(body)) throw invalid('the body is not a list of updates');
  const items = body.filter((item) => item !== null);
  if (items.some((item) => typeof item !== 'object' || Array.isArray(item))) throw invalid('the body is not a list of updates');
  if (items.some(({ id }) => id !== undefined && id !== null && typeof id !== 'string')) throw invalid('id of an update is not a string');
  return items.map((item) => parseUpdate(objectOf(item), now));
}

function parseUpdate(value: Record<string, unknown>, now: string): Update {
  const dateOf = (date: unknown) => ({ date: date === undefined || date === null ? now : textOf(objectOf(date).date) });
  return {
    ...textsOf(value, ['from', 'status', 'type', 'version', 'id', 'title', 'severity', 'description']),
    issued: dateOf(value.issued),
    updated: dateOf(value.updated),
    references: listOf(value.references).map((reference) => textsOf(reference, ['href', 'id', 'title', 'type'])),
    pkg_list: listOf(value.pkg_list).map(({ short, packages }) => ({
      short: textOf(short),
      packages: listOf(packages).map((found) => textsOf(found, ['arch', 'name', 'release', 'src', 'version', 'filename'])),
    })),
  };
}

function textsOf<Name extends string>(value: Record<string, unknown>, names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textOf(value[name])])) as Record<Name, string>;
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((item) => item !== null).map(objectOf) : [];
}

/**
 * Adds updates to those of a version. One of a known id takes its place, but keeps when it was issued and the packages that were listed.
 * @throws PackageError 400 for more than a version may have
 */
export function addUpdates(known: readonly Update[], added: readonly Update[], now: string): Update[] {
  const updates = new Map(known.map((update) => [update.id, update]));
  for (const update of added) {
    const before = updates.get(update.id);
    const merged = before && {
      issued: before.issued,
      updated: { date: now },
      pkg_list: mergeCollections(before.pkg_list, update.pkg_list),
    };
    updates.set(update.id, { ...update, ...merged });
  }
  if (updates.size > MAX_UPDATES) throw invalid(`the version has more than ${MAX_UPDATES} updates`);
  return [...updates.values()];
}

/** All updates of a repository, once for each id. */
export function mergeUpdates(updates: readonly Update[]): Update[] {
  const merged = new Map<string, Update>();
  for (const update of updates) {
    const before = merged.get(update.id);
    merged.set(update.id, before ? { ...before, pkg_list: mergeCollections(before.pkg_list, update.pkg_list) } : update);
  }
  return [...merged.values()].sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}

function mergeCollections(known: readonly Collection[], added: readonly Collection[]): Collection[] {
  const collections = new Map<string, Map<string, UpdatedPackage>>();
  for (const { short, packages } of [...known, ...added]) {
    const found = collections.get(short) ?? new Map<string, UpdatedPackage>();
    collections.set(short, found);
    for (const item of packages) {
      const key = JSON.stringify([item.name, item.version, item.release, item.arch]);
      if (!found.has(key)) found.set(key, item);
    }
  }
  return [...collections].map(([short, packages]) => ({ short, packages: [...packages.values()] }));
}
