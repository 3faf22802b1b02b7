import { type Context, inTransaction } from '../../context.ts';
import { empty } from '../../http/responses.ts';
import { compressionOf } from '../archives/decompress.ts';
import { type EntryVisitor, readTar } from '../archives/tar.ts';
import { randomAccess, readZip } from '../archives/zip.ts';
import { type Content, openArchive, readHead } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { markIndexes } from '../indexes/mark.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { publish } from '../registry/publish.ts';
import { type Description, MAX_DESCRIPTION, parseDescription } from './description.ts';
import { binariesOf, indexKey, listIndexKeys, SOURCES } from './indexes.ts';

/** `PUT /src`: a package of sources. */
export async function publishSource(call: PackageCall) {
  return await publishFile(call, SOURCES);
}

/** `PUT /bin?platform=…&rversion=…`: a package that was built for a platform and a version of R. */
export async function publishBinary(call: PackageCall) {
  const [platform, version] = ['platform', 'rversion'].map((name) => call.query.get(name)?.trim() ?? '');
  if (!platform || !version) throw invalid('');
  return await publishFile(call, binariesOf(platform, version));
}

/** @param compositeKey what the file is for */
async function publishFile(call: PackageCall, compositeKey: string) {
  const { context, owner } = call;
  const blob = await receivePackage(call, 'cran');
  const { name, version, metadata, extension } = await readArchive(call, () => readPackage(context, blob));
  const file = { name: `${name}_${version}${extension}`, compositeKey, blob, isLead: true };
  await inTransaction(context, async (context) => {
    const published = await publish(context, { owner, type: 'cran', name, version, metadata, existing: 'append', files: [file] });
    // Once the package is locked: nobody else adds a file of another kind now.
    const others = await listIndexKeys(context.db, published.package.id);
    await markIndexes(context, owner.id, 'cran', [indexKey(compositeKey), ...others]);
  });
  return empty(201);
}

async function readPackage(context: Context, blob: Content): Promise<Description & { extension: string }> {
  let text: string | undefined;
  const visit: EntryVisitor = async ({ path, isFile, read }) => {
    const [folder, name, ...deeper] = path.split('/');
    if (!isFile || (name ?? folder) !== 'DESCRIPTION' || deeper.length > 0) return undefined;
    text = (await read()).toString('utf8');
    return 'stop';
  };
  const limits = { maxEntryBytes: MAX_DESCRIPTION };
  const isTar = compressionOf(await readHead(context, blob)) === 'gzip';
  if (isTar) await readTar(await openArchive(context, blob), visit, { ...limits, compression: 'gzip' });
  else await readZip(randomAccess(context, blob), visit, limits);
  if (text === undefined) throw invalid('DESCRIPTION file is missing');
  return { ...parseDescription(text), extension: isTar ? '.tar.gz' : '.zip' };
}
