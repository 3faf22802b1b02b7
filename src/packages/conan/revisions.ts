import { Readable } from 'node:stream';
import { inTransaction } from '../../context.ts';
import { empty, raw } from '../../http/responses.ts';
import { wireTime } from '../../http/schema.ts';
import { PackageError } from '../errors.ts';
import { isPlacedBelow } from '../indexes/listed-files.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readJson } from '../protocol/receive.ts';
import { deleteFiles } from '../registry/delete.ts';
import { findVersion } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import { INFO_FILE, PROPERTIES } from './files.ts';
import { json } from './json.ts';
import { noReference, placeOf, type Reference, readKey, referenceOf } from './reference.ts';

const MAX_IDS_BYTES = 1024 * 1024;
/** Packages whose settings are read at once. */
const AT_ONCE = 64;

/** A file of a recipe or package: what its composite key says. */
interface ConanFile {
  readonly id: number;
  readonly created_at: number;
  /** Whether it says what a package was built with. */
  readonly isInfo: boolean;
  readonly revision: string;
  readonly packageId: string | undefined;
  readonly packageRevision: string | undefined;
}

/** `GET …/revisions`: the revisions of a recipe or package, newest first. */
export async function listRevisions(call: PackageCall) {
  const revisions = await revisionsOf(call);
  if (revisions.length === 0) throw noReference('recipe');
  return json({ revisions: revisions.map(([revision, time]) => ({ revision, time: wireTime(time) })) });
}

/** `GET …/latest`: the newest of them. */
export async function showLatest(call: PackageCall) {
  const [latest] = await revisionsOf(call);
  if (!latest) throw noReference(referenceOf(call).package ? 'package' : 'recipe');
  return json({ revision: latest[0], time: wireTime(latest[1]) });
}

/** `GET …/search`: the packages of a revision, of the newest one, or in the older protocol of all of them. */
export async function searchPackages(call: PackageCall, ofAllRevisions = false) {
  const reference = referenceOf(call);
  const files = await filesOf(call, reference);
  const revisions = newestFirst(files, ({ revision }) => revision).map(([revision]) => revision);
  if (revisions.length === 0)
    throw reference.revision === '' && !ofAllRevisions ? noReference('recipe') : new PackageError('no-package', { message: '' });
  const searched = ofAllRevisions ? revisions : [reference.revision || (revisions[0] ?? '')];
  const byRevision = Map.groupBy(files, ({ revision }) => revision);
  const found = new Map<string, readonly ConanFile[]>();
  for (const revision of searched) {
    for (const [id, ofPackage] of Map.groupBy(byRevision.get(revision) ?? [], ({ packageId }) => packageId)) {
      if (id === undefined || found.has(id)) continue;
      const [newest] = newestFirst(ofPackage, ({ packageRevision }) => packageRevision);
      found.set(
        id,
        ofPackage.filter(({ packageRevision }) => packageRevision === newest?.[0]),
      );
    }
  }
  return raw(Readable.from(jsonOf(call, found), { objectMode: false }), 'application/json');
}

/** The packages with what they were built with, as JSON: together that may be more than fits into memory. */
async function* jsonOf({ context: { db } }: PackageCall, packages: ReadonlyMap<string, readonly ConanFile[]>): AsyncGenerator<string> {
  const all = [...packages];
  yield '{';
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    const ids = some.flatMap(([, files]) => files.filter(({ isInfo }) => isInfo).map(({ id }) => id));
    const byFile = await listProperties(db, 'file', ids);
    const items = some.map(([id, files]) => {
      const infos = files.map((file) => propertyOf(byFile.get(file.id), PROPERTIES.packageInfo));
      return `${JSON.stringify(id)}:${infos.find((info) => info !== undefined) ?? 'null'}`;
    });
    yield `${at === 0 ? '' : ','}${items.join(',')}`;
  }
  yield '}\n';
}

/** `DELETE …`: a recipe, or the revision of it that the path names. */
export async function removeRecipe(call: PackageCall, ofAllRevisions = false) {
  const { revision } = referenceOf(call);
  await remove(call, (file) => ofAllRevisions || revision === '' || file.revision === revision);
  return empty(200);
}

/** `DELETE …/packages…`: all packages of a revision, a package, or the revision of it that the path names. */
export async function removePackages(call: PackageCall) {
  const { revision, package: built } = referenceOf(call);
  await remove(call, (file) => {
    if (file.packageId === undefined || file.revision !== revision) return false;
    return !built || (file.packageId === built.id && (built.revision === '' || file.packageRevision === built.revision));
  });
  return empty(200);
}

/** `POST …/packages/delete`, in the older protocol: the packages of a list, or all. */
export async function removeListedPackages(call: PackageCall) {
  const { package_ids: given } = await readJson(call, MAX_IDS_BYTES);
  const ids = new Set<unknown>(Array.isArray(given) ? given : []);
  const isListed = (id: string) => ids.size === 0 || ids.has(id);
  await remove(call, ({ packageId }) => packageId !== undefined && isListed(packageId), { mayBeNone: ids.size === 0 });
  return empty(200);
}

async function remove(call: PackageCall, isGone: (file: ConanFile) => boolean, { mayBeNone = false } = {}): Promise<void> {
  const { owner } = call;
  const reference = referenceOf(call);
  await inTransaction(call.context, async (context) => {
    const version = await findVersion(context.db, { ownerId: owner.id, type: 'conan', name: reference.name }, reference.version);
    const gone = (await filesOf({ ...call, context }, reference)).filter(isGone);
    if (gone.length === 0 && !mayBeNone) throw noReference('package');
    await deleteFiles(
      context,
      version,
      gone.map(({ id }) => id),
    );
  });
}

async function revisionsOf(call: PackageCall): Promise<[string, number][]> {
  const reference = referenceOf(call);
  const files = await filesOf(call, reference);
  const { package: built, revision } = reference;
  if (!built) return newestFirst(files, (file) => file.revision);
  const ofPackage = files.filter((file) => file.packageId === built.id && file.revision === revision);
  return newestFirst(ofPackage, ({ packageRevision }) => packageRevision);
}

/** The different values of files with the times of their newest files, newest first. */
function newestFirst(files: readonly ConanFile[], keyFor: (file: ConanFile) => string | undefined): [string, number][] {
  const newest = new Map<string, { time: number; id: number }>();
  for (const found of files) {
    const value = keyFor(found);
    const { created_at: time, id } = found;
    const before = value === undefined ? undefined : newest.get(value);
    if (value !== undefined && (!before || before.time < time || (before.time === time && before.id < id))) newest.set(value, { time, id });
  }
  const ordered = [...newest].sort(([, a], [, b]) => b.time - a.time || b.id - a.id);
  return ordered.map(([value, { time }]) => [value, time]);
}

/** The files of a recipe with its packages, of all revisions; none where there is no such version. There may be thousands. */
async function filesOf({ context: { db }, owner }: PackageCall, reference: Reference): Promise<ConanFile[]> {
  const rows = await db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select(['package_files.id', 'package_files.created_at', 'package_files.composite_key', 'package_files.lower_name'])
    .where('packages.owner_id', '=', owner.id)
    .where('packages.type', '=', 'conan')
    .where('packages.lower_name', '=', reference.name.toLowerCase())
    .where('packages.is_internal', '=', false)
    .where('package_versions.lower_version', '=', reference.version.toLowerCase())
    .where(isPlacedBelow(placeOf(reference)))
    .execute();
  return rows.map(({ id, created_at, composite_key, lower_name }) => ({
    id,
    created_at,
    isInfo: lower_name === INFO_FILE,
    ...readKey(composite_key),
  }));
}
