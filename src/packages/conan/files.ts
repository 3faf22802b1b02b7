import type { Context } from '../../context.ts';
import { empty } from '../../http/responses.ts';
import { type Content, readBlob } from '../blobs/content.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readJson, receivePackage } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { type FoundFile, findFile, findVersion, withBlobs } from '../registry/find.ts';
import { publish, setMetadata } from '../registry/publish.ts';
import { parseConanfile, parseConaninfo } from './documents.ts';
import { json } from './json.ts';
import { DEFAULT_REVISION, keyOf, linkOf, type Reference, referenceOf } from './reference.ts';

const TYPE = 'conan';
/** The file that says what a package was built with. */
export const INFO_FILE = 'conaninfo.txt';
/** The files that a recipe and a package have. */
const RECIPE_FILES: readonly string[] = ['conanfile.py', 'conanmanifest.txt', 'conan_sources.tgz', 'conan_export.tgz'];
const PACKAGE_FILES: readonly string[] = [INFO_FILE, 'conanmanifest.txt', 'conan_package.tgz'];
/** Size limit of a document that is read in bytes. */
const MAX_DOCUMENT = 1024 * 1024;
/** Size limit of what a package was built with in bytes: searches read it of many packages. */
const MAX_INFO = 128 * 1024;

/** The properties of a file. */
export const PROPERTIES = {
  user: 'conan.recipe.user',
  channel: 'conan.recipe.channel',
  revision: 'conan.recipe.revision',
  packageId: 'conan.package.reference',
  packageRevision: 'conan.package.revision',
  packageInfo: 'conan.package.info',
} as const;

/** `PUT …/files/FILE` */
export async function uploadFile(call: PackageCall) {
  const { context, owner, params } = call;
  const reference = referenceOf(call);
  const file = checkFile(reference, params.file ?? '');
  const blob = await receivePackage(call, TYPE);
  const metadata = file === 'conanfile.py' ? parseConanfile(await readDocument(context, blob)) : undefined;
  const info = file === INFO_FILE ? JSON.stringify(parseConaninfo(await readDocument(context, blob, MAX_INFO))) : undefined;
  const { name, version, user, channel, revision, package: built } = reference;
  const properties = {
    [PROPERTIES.user]: user,
    [PROPERTIES.channel]: channel,
    [PROPERTIES.revision]: revision || DEFAULT_REVISION,
    ...(built && { [PROPERTIES.packageId]: built.id, [PROPERTIES.packageRevision]: built.revision || DEFAULT_REVISION }),
    ...(info !== undefined && { [PROPERTIES.packageInfo]: info }),
  };
  const isLead = file === 'conanfile.py';
  const published = await publish(context, {
    ...{ owner, type: TYPE, name, version, existing: 'append' },
    ...(metadata && { metadata }),
    files: [{ name: file, compositeKey: keyOf(reference), blob, isLead, properties, existing: 'replace' }],
  });
  if (metadata && !published.isNew) await setMetadata(context.db, published.version.id, metadata);
  return empty(201);
}

/** `GET …/files/FILE` */
export async function downloadFile(call: PackageCall) {
  const { context, params } = call;
  const reference = referenceOf(call);
  const name = checkFile(reference, params.file ?? '');
  const version = await versionOf(call, reference);
  return await serveFile(call, await findFile(context.db, version.id, { name, compositeKey: keyOf(reference) }));
}

/** `GET …/files`: the names of the files. */
export async function listFileNames(call: PackageCall) {
  return json({ files: Object.fromEntries((await filesOf(call)).map(({ file }) => [file.name, null])) });
}

/** The digests of the files, in the older protocol. */
export async function listDigests(call: PackageCall) {
  return json(Object.fromEntries((await filesOf(call)).map(({ file, blob }) => [file.name, blob.md5])));
}

/** Where the files are, in the older protocol. */
export async function listDownloadUrls(call: PackageCall) {
  const url = urlOf(call);
  return json(Object.fromEntries((await filesOf(call)).map(({ file }) => [file.name, `${url}/${file.name}`])));
}

/** Where the files of a request belong, in the older protocol; others are left out. */
export async function listUploadUrls(call: PackageCall) {
  const url = urlOf(call);
  const names = Object.keys(await readJson(call, MAX_DOCUMENT)).filter((name) => filesFor(referenceOf(call)).includes(name));
  return json(Object.fromEntries(names.map((name) => [name, `${url}/${name}`])));
}

async function filesOf(call: PackageCall): Promise<FoundFile[]> {
  const { db } = call.context;
  const reference = referenceOf(call);
  const version = await versionOf(call, reference);
  const rows = await db
    .selectFrom('package_files')
    .selectAll()
    .where('version_id', '=', version.id)
    .where('composite_key', '=', keyOf(reference))
    .orderBy('lower_name')
    .execute();
  if (rows.length === 0) throw new PackageError('no-file', { message: '' });
  return await withBlobs(db, rows);
}

async function versionOf({ context, owner }: PackageCall, { name, version }: Reference) {
  return await findVersion(context.db, { ownerId: owner.id, type: TYPE, name }, version);
}

function urlOf(call: PackageCall): string {
  return `${call.baseUrl}/v1/files/${linkOf(referenceOf(call))}`;
}

function filesFor({ package: built }: Reference): readonly string[] {
  return built ? PACKAGE_FILES : RECIPE_FILES;
}

function checkFile(reference: Reference, name: string): string {
  if (!filesFor(reference).includes(name)) throw new PackageError('invalid', { message: '' });
  return name;
}

async function readDocument(context: Context, blob: Content, maxSize = MAX_DOCUMENT): Promise<string> {
  return (await readBlob(context, blob, maxSize)).toString('utf8');
}
