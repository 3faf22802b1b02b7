import { inTransaction } from '../../context.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { readBlob } from '../blobs/content.ts';
import { invalid, PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { receivePackage } from '../protocol/receive.ts';
import { type FoundFile, findFile, findPackagesById, findVersionById, withBlobs } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import { publish } from '../registry/publish.ts';
import { searchFiles } from '../registry/search.ts';

const TYPE = 'helm';
/** What follows the name of a chart's archive in that of its provenance. */
const SUFFIX = '.prov';
/** Size limit of a provenance in bytes: a signed text with the chart's own description. */
const MAX_BYTES = 128 * 1024;
/** The property of a provenance that has the digest of the archive which it was made for. */
const ARCHIVE = 'helm.archive';
const MISSING = { message: '' };

/**
 * Adds the provenance of a chart (https://helm.sh/docs/topics/provenance/), which names its archive and the digest of that. Clients verify
 * the signature.
 */
export async function pushProvenance(call: PackageCall): Promise<HttpResponse> {
  const { context, owner } = call;
  const blob = await receivePackage(call, TYPE, { shown: [], maxSize: MAX_BYTES });
  const text = (await readBlob(context, blob, MAX_BYTES)).toString('utf8');
  const [, name = '', digest] = /^ {2}(\S+\.tgz): sha256:([0-9a-f]{64})\r?$/m.exec(text) ?? [];
  if (!text.startsWith('-----BEGIN PGP SIGNED MESSAGE-----') || !digest) throw invalid('provenance is invalid');
  const chart = await findChartFile(call, name);
  if (chart.blob.sha256 !== digest) throw invalid('the provenance is of another archive');
  const files = [{ name: `${chart.file.name}${SUFFIX}`, blob, existing: 'replace', properties: { [ARCHIVE]: digest } }] as const;
  await inTransaction(context, async (context) => {
    const version = await findVersionById(context.db, chart.file.version_id);
    const row = version && (await findPackagesById(context.db, [version.package_id])).get(version.package_id);
    if (!row) throw new PackageError('no-file', MISSING);
    const publication = { owner, type: TYPE, name: row.name, version: version.version, existing: 'append', files } as const;
    // A version that was deleted meanwhile does not come back.
    if ((await publish(context, publication)).isNew) throw new PackageError('no-file', MISSING);
  });
  return empty(201);
}

/**
 * The archive of a chart, or its provenance.
 * @throws PackageError 404, also for the provenance of an archive that was replaced
 */
export async function findChartFile({ context: { db }, owner }: PackageCall, name: string): Promise<FoundFile> {
  const files = await searchFiles(db, { ownerId: owner.id, type: TYPE, name }, { limit: 2 });
  const [found] = files.length === 1 ? await withBlobs(db, files) : [];
  if (!found) throw new PackageError('no-file', MISSING);
  const { id, version_id, lower_name } = found.file;
  if (!lower_name.endsWith(SUFFIX)) return found;
  const archive = await findFile(db, version_id, { name: lower_name.slice(0, -SUFFIX.length) });
  const properties = await listProperties(db, 'file', [id]);
  if (propertyOf(properties.get(id), ARCHIVE) !== archive.blob.sha256) throw new PackageError('no-file', MISSING);
  return found;
}
