import { inTransaction } from '../../context.ts';
import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import { empty, raw } from '../../http/responses.ts';
import { httpDate } from '../../http/serve-bytes.ts';
import { readBlob } from '../blobs/content.ts';
import { invalid, PackageError } from '../errors.ts';
import { currentIndexFile } from '../indexes/current.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import type { PackageCall, PackageFormat } from '../protocol/format.ts';
import { readBody, receivePackage } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { findPublished } from '../registry/describe.ts';
import { findFile, findVersion } from '../registry/find.ts';
import { publish, setMetadata } from '../registry/publish.ts';
import { throughUpstream } from '../upstreams/through.ts';
import { buildMetadata, METADATA_FILE } from './metadata.ts';
import { type MavenPath, readMavenPath } from './path.ts';
import { readPom } from './pom.ts';
import { downloadUpstream } from './upstream.ts';

const TYPE = 'maven';
/** Size limit of a POM, and of a checksum, in bytes. */
const MAX_POM = 1024 * 1024;
const MAX_CHECKSUM = 1024;

/** A repository in Maven's layout: https://maven.apache.org/repository/layout.html */
export const maven: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'GET', head: true, path: '/maven/:path*', access: 'read', handle: throughUpstream(TYPE, nameOf, download, remote) },
    { method: 'PUT', path: '/maven/:path*', access: 'publish', handle: upload },
  ],
  index: buildMetadata,
  deleting: ({ ownerId, packageId }, context) => markPackageIndex(context, ownerId, TYPE, packageId),
};

async function download(call: PackageCall) {
  const path = readMavenPath(call.params.path ?? '');
  const found = path.version === '' ? await findMetadata(call, path) : await findNamed(call, path);
  if (path.checksum) {
    const modified = path.version === '' && { 'last-modified': httpDate(found.file.created_at) };
    const headers = { 'x-content-type-options': 'nosniff', ...modified };
    return raw(found.blob[path.checksum], 'text/plain; charset=utf-8', { headers });
  }
  if (path.version === '') return await serveFile(call, found, { type: 'text/xml', name: null, isCached: true });
  return await serveFile(call, found, { type: typeOf(path.file) });
}

function nameOf({ params }: PackageCall): string {
  return readMavenPath(params.path ?? '').name;
}

async function remote(call: PackageCall, upstream: PackageUpstreamRow) {
  const path = readMavenPath(call.params.path ?? '');
  return await downloadUpstream(call, upstream, path, typeOf(path.file));
}

async function upload(call: PackageCall) {
  const { context, owner } = call;
  const path = readMavenPath(call.params.path ?? '', 'write');
  // The registry generates the list of all versions itself.
  if (path.version === '') return empty(200);
  if (path.checksum) {
    await compareChecksum(call, path, path.checksum);
    return empty(200);
  }
  const blob = await receivePackage(call, TYPE, { raw: true });
  const isPom = path.file.endsWith('.pom');
  const metadata = isPom ? await readPom(context, await readBlob(context, blob, MAX_POM)) : undefined;
  const file = { name: path.file, blob, isLead: isPom, existing: path.isMetadata ? 'replace' : 'refuse' } as const;
  const { name, version } = path;
  await inTransaction(context, async (context) => {
    const publication = { owner, type: TYPE, name, version, metadata, files: [file], existing: 'append' } as const;
    const published = await publish(context, { ...publication, indexes: [name.toLowerCase()] });
    if (metadata && !published.isNew) await setMetadata(context.db, published.version.id, metadata);
  });
  return empty(201);
}

/** Clients upload checksums; the registry has them already, and compares. */
async function compareChecksum(call: PackageCall, path: MavenPath, checksum: 'md5' | 'sha1' | 'sha256' | 'sha512'): Promise<void> {
  const { blob } = await findNamed(call, path);
  // Clients of Gitea send the bare digest, and nothing else is one.
  const sent = (await readBody(call, MAX_CHECKSUM)).toString('latin1');
  if (sent !== blob[checksum]) throw invalid('hash mismatch');
}

async function findNamed({ context, owner }: PackageCall, { name, version, file }: MavenPath) {
  const found = await findVersion(context.db, { ownerId: owner.id, type: TYPE, name }, version);
  return await findFile(context.db, found.id, { name: file });
}

async function findMetadata({ context, owner }: PackageCall, { name }: MavenPath) {
  const row = await findPublished(context.db, { ownerId: owner.id, type: TYPE, name });
  if (!row) throw new PackageError('no-package');
  return await currentIndexFile(context, buildMetadata, { owner, type: TYPE }, row.lower_name, { name: METADATA_FILE });
}

function typeOf(file: string): string {
  if (/\.jar$/i.test(file)) return 'application/java-archive';
  return /\.pom$/i.test(file) ? 'text/xml' : 'application/octet-stream';
}
