import { type Context, callerKey, inTransaction } from '../../context.ts';
import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { empty } from '../../http/responses.ts';
import type { Content } from '../blobs/content.ts';
import { invalid, PackageError } from '../errors.ts';
import { markIndexes } from '../indexes/mark.ts';
import type { PackageCall } from '../protocol/format.ts';
import { bodyChunks, recheckWrite } from '../protocol/receive.ts';
import { findPackage, findVersion, type PackageName } from '../registry/find.ts';
import { refuseOtherJobs } from '../registry/job-packages.ts';
import { maxFileSize } from '../registry/limits.ts';
import { publish, setMetadata } from '../registry/publish.ts';
import { linkedRepository, linkRepository } from '../registry/repository-link.ts';
import { formatVersion, parseVersion } from '../versions/loose.ts';
import { readDocument } from './document.ts';
import type { NpmDocument, NpmVersion } from './document-task.ts';
import { isPackageName, type NpmMetadata } from './metadata.ts';
import { checkTag, setTagsOfLocked } from './tags.ts';

/** Tags of one publication. */
const MAX_TAGS = 100;
/** Versions whose deprecation changes in one transaction. */
const BATCH = 100;

/** Publishes a version, or changes the deprecation of existing ones. */
export async function upload(call: PackageCall) {
  const { context } = call;
  const store = { maxSize: maxFileSize(context, 'npm'), shown: ['sha1', 'sha512'] } as const;
  const { document, attachment } = await context.semaphores.uploads.run(
    callerKey(context),
    () => readDocument(context, bodyChunks(call), (content) => call.contents.store(context, content, store)),
    { signal: call.request.signal },
  );
  await recheckWrite(call);
  const isDeprecation = !attachment && document.versions.some(({ deprecated }) => deprecated !== undefined);
  if (isDeprecation && (await deprecate(call, document))) return empty(200);
  await publishVersion(call, document, attachment);
  return empty(201);
}

async function publishVersion(
  { context, owner }: PackageCall,
  { manifest, tags }: NpmDocument,
  attachment: Content | undefined,
): Promise<void> {
  if (!manifest) throw invalid('package is invalid');
  const { name, metadata } = manifest;
  if (!isPackageName(name)) throw invalid('package name is invalid');
  const parsed = parseVersion(manifest.version);
  if (!parsed) throw invalid('package version is invalid');
  if (!attachment || attachment.size === 0) throw invalid('package attachment is invalid');
  checkIntegrity(attachment, manifest.integrity);
  if (tags.length > MAX_TAGS) throw invalid(`the document has more than ${MAX_TAGS} tags`);
  tags.forEach(checkTag);
  const repository = await linkedRepository(context, metadata.repository?.url ?? '');
  const version = formatVersion(parsed);
  const file = `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`.toLowerCase();
  await inTransaction(context, async (context) => {
    const files = [{ name: file, blob: attachment, isLead: true }];
    const publication = { owner, type: 'npm', name, version, metadata, semverCompatible: true, files, indexes: [name] } as const;
    const published = await publish(context, publication);
    await setTagsOfLocked(context.db, published.package.id, version, tags);
    if (repository) await linkRepository(context, published.package.id, repository);
  });
}

/** @throws PackageError 400 for a content that is not what the client computed the digest of */
function checkIntegrity(attachment: Content, integrity: string): void {
  const [, algorithm, digest] = /^(sha1|sha512)-([A-Za-z0-9+/]+={0,2})$/.exec(integrity) ?? [];
  const known = algorithm === 'sha1' ? attachment.sha1 : attachment.sha512;
  if (!digest || Buffer.from(digest, 'base64').toString('hex') !== known) throw invalid('failed to validate integrity');
}

/**
 * `npm deprecate` sends the whole document again, with a message in each deprecated version. Of thousands each takes a moment, so other
 * writers get their turn between batches.
 * @returns false, without a change, if the document has a version that is not published
 */
async function deprecate({ context, owner }: PackageCall, { name, versions }: NpmDocument): Promise<boolean> {
  const named = { ownerId: owner.id, type: 'npm', name } as const;
  const row = await findPackage(context.db, named).catch(ifMissing);
  if (!row) return false;
  refuseOtherJobs(context, row);
  const changed: NpmVersion[] = [];
  for (const version of versions) {
    const found = await findVersion(context.db, named, version.version).catch(ifMissing);
    if (!found) return false;
    if (changeOf(found, version)) changed.push(version);
  }
  for (let at = 0; at < changed.length; at += BATCH) await deprecateBatch(context, named, changed.slice(at, at + BATCH));
  return true;
}

async function deprecateBatch(context: Context, named: PackageName, versions: readonly NpmVersion[]): Promise<void> {
  await inTransaction(context, async (context) => {
    for (const version of versions) {
      const found = await findVersion(context.db, named, version.version).catch(ifMissing);
      const change = found && changeOf(found, version);
      if (change) await setMetadata(context.db, found.id, change);
    }
    await markIndexes(context, named.ownerId, 'npm', [named.name.toLowerCase()]);
  });
}

/** The metadata of a version with its new message; undefined if it has that already. */
function changeOf({ metadata: json }: PackageVersionRow, { deprecated = '' }: NpmVersion): NpmMetadata | undefined {
  const { deprecated: before, ...metadata } = JSON.parse(json) as NpmMetadata;
  return deprecated === (before ?? '') ? undefined : { ...metadata, ...(deprecated && { deprecated }) };
}

function ifMissing(error: unknown): undefined {
  if (!(error instanceof PackageError)) throw error;
}
