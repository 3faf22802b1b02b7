import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { invalid } from '../errors.ts';
import { lockPackage } from '../registry/lock.ts';
import { listProperties, removeProperties, setProperties } from '../registry/properties.ts';
import { parseLooseVersion } from '../versions/loose.ts';

/** A tag is a property of its package: the name after this prefix, with the version as the value. */
const PREFIX = 'npm.tag.';
const MAX_TAGS = 1000;
const MAX_LENGTH = 255;

/** @throws PackageError 400 for a tag that is empty, too long, or could be a version */
export function checkTag(tag: string): void {
  if (tag === '' || tag.length > MAX_LENGTH || parseLooseVersion(tag)) throw invalid('The tag name is invalid');
}

/** The versions of a package by their tags, in the order of the tags. */
export async function listTags(db: Db, packageId: number): Promise<[tag: string, version: string][]> {
  const properties = (await listProperties(db, 'package', [packageId])).get(packageId) ?? [];
  const tags = properties.filter(({ name }) => name.startsWith(PREFIX));
  return tags.map(({ name, value }): [string, string] => [name.slice(PREFIX.length), value]).sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Adds tags to a version, and removes them from others.
 * @throws PackageError 400 for a package that has too many
 */
export async function setTags(context: Context, packageId: number, version: string, tags: readonly string[]): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    // Two concurrent additions of one tag must not leave it twice.
    await lockPackage(db, packageId);
    await setTagsOfLocked(db, packageId, version, tags);
  });
}

/** {@link setTags} as part of a transaction that has locked the package. */
export async function setTagsOfLocked(db: Db, packageId: number, version: string, tags: readonly string[]): Promise<void> {
  await setProperties(db, 'package', packageId, Object.fromEntries(tags.map((tag) => [PREFIX + tag, version])));
  if ((await listTags(db, packageId)).length > MAX_TAGS) throw invalid(`a package has at most ${MAX_TAGS} tags`);
}

/** Removes a tag, if there is such a one. */
export async function removeTag(db: Db, packageId: number, tag: string): Promise<void> {
  await removeProperties(db, 'package', packageId, [PREFIX + tag]);
}

/** Removes the tags of a version. */
export async function removeTagsOf(db: Db, packageId: number, version: string): Promise<void> {
  const tags = (await listTags(db, packageId)).filter(([, tagged]) => tagged === version);
  await removeProperties(
    db,
    'package',
    packageId,
    tags.map(([tag]) => PREFIX + tag),
  );
}
