import { inTransaction } from '../../context.ts';
import { empty } from '../../http/responses.ts';
import { wireTime } from '../../http/schema.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readJson } from '../protocol/receive.ts';
import { deleteFile } from '../registry/delete.ts';
import { type FoundFile, findVersion, listFiles, listVersions } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import type { ConanInfo } from './documents.ts';
import { PROPERTIES } from './files.ts';
import { json } from './json.ts';
import { noReference, type Reference, referenceOf } from './reference.ts';

const MAX_IDS_BYTES = 1024 * 1024;

/** A file of a recipe or package. */
interface ConanFile extends FoundFile {
  readonly user: string;
  readonly channel: string;
  readonly revision: string;
  readonly packageId: string | undefined;
  readonly packageRevision: string | undefined;
  readonly packageInfo: string | undefined;
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
  const found = new Map<string, ConanInfo | null>();
  for (const revision of searched) {
    const built = files.filter((file) => file.revision === revision);
    for (const [id, ofPackage] of Map.groupBy(built, ({ packageId }) => packageId)) {
      if (id === undefined || found.has(id)) continue;
      const [newest] = newestFirst(ofPackage, ({ packageRevision }) => packageRevision);
      const info = ofPackage.find(({ packageRevision, packageInfo }) => packageRevision === newest?.[0] && packageInfo !== undefined);
      found.set(id, info?.packageInfo === undefined ? null : (JSON.parse(info.packageInfo) as ConanInfo));
    }
  }
  return json(Object.fromEntries(found));
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
  const ids = Array.isArray(given) ? given : [];
  const isListed = (id: string) => ids.length === 0 || ids.includes(id);
  await remove(call, ({ packageId }) => packageId !== undefined && isListed(packageId), { mayBeNone: ids.length === 0 });
  return empty(200);
}

async function remove(call: PackageCall, isGone: (file: ConanFile) => boolean, { mayBeNone = false } = {}): Promise<void> {
  const { owner } = call;
  const reference = referenceOf(call);
  await inTransaction(call.context, async (context) => {
    const version = await findVersion(context.db, { ownerId: owner.id, type: 'conan', name: reference.name }, reference.version);
    const gone = (await filesOf({ ...call, context }, reference)).filter(isGone);
    if (gone.length === 0 && !mayBeNone) throw noReference('package');
    for (const { file } of gone) await deleteFile(context, version, file);
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
    const { created_at: time, id } = found.file;
    const before = value === undefined ? undefined : newest.get(value);
    if (value !== undefined && (!before || before.time < time || (before.time === time && before.id < id))) newest.set(value, { time, id });
  }
  const ordered = [...newest].sort(([, a], [, b]) => b.time - a.time || b.id - a.id);
  return ordered.map(([value, { time }]) => [value, time]);
}

/** The files of a recipe with its packages, of all revisions; none where there is no such version. */
async function filesOf({ context: { db }, owner }: PackageCall, { name, version, user, channel }: Reference): Promise<ConanFile[]> {
  const versions = await listVersions(db, { ownerId: owner.id, type: 'conan', name });
  const found = versions.find(({ lower_version: lower }) => lower === version.toLowerCase());
  const files = await listFiles(db, found ? [found.id] : []);
  const byFile = await listProperties(
    db,
    'file',
    files.map(({ file }) => file.id),
  );
  const described = files.map((item) => {
    const properties = byFile.get(item.file.id);
    const value = (property: keyof typeof PROPERTIES) => propertyOf(properties, PROPERTIES[property]);
    const built = { packageId: value('packageId'), packageRevision: value('packageRevision'), packageInfo: value('packageInfo') };
    return { ...item, user: value('user') ?? '', channel: value('channel') ?? '', revision: value('revision') ?? '', ...built };
  });
  return described.filter((file) => file.user === user && file.channel === channel);
}
