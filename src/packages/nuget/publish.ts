import { buffer } from 'node:stream/consumers';
import { type Context, inTransaction } from '../../context.ts';
import { empty } from '../../http/responses.ts';
import type { EntryVisitor } from '../archives/tar.ts';
import { randomAccess, readZip } from '../archives/zip.ts';
import { type Content, openBlob } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { findVersion } from '../registry/find.ts';
import { maxFileSize } from '../registry/limits.ts';
import { publish } from '../registry/publish.ts';
import type { NewFile } from '../registry/put-file.ts';
import { readPackage } from './nuspec.ts';
import { findPdbStream, MAX_ROOT, pdbId } from './pdb.ts';

/** Files of symbols in one package. */
const MAX_PDBS = 1000;
/** Compression ratio of them: they are stored without it. */
const MAX_PDB_RATIO = 100;
/** Extensions of the files that a package of symbols may have beside them. */
const AROUND = /\.(?:nuspec|xml|psmdcp|rels|p7s)$/i;

/** Publishes a package: https://learn.microsoft.com/en-us/nuget/api/package-publish-resource */
export async function upload(call: PackageCall) {
  const { blob, found } = await receive(call, false);
  const { context, contents, owner } = call;
  const { id, version, metadata, nuspec } = found;
  const files = [
    { name: `${id}.${version}.nupkg`.toLowerCase(), blob, isLead: true },
    { name: `${id}.nuspec`.toLowerCase(), blob: await contents.store(context, nuspec, { shown: [] }) },
  ];
  const publication = { owner, type: 'nuget', name: id, version, metadata, semverCompatible: true, files } as const;
  await publish(context, { ...publication, indexes: [id.toLowerCase()] });
  return empty(201);
}

/** Adds symbols to a package that is there: https://learn.microsoft.com/en-us/nuget/api/symbol-package-publish-resource */
export async function uploadSymbols(call: PackageCall) {
  const { blob, found } = await receive(call, true);
  const { owner } = call;
  const { id, version } = found;
  const files = [{ name: `${id}.${version}.snupkg`.toLowerCase(), blob }, ...(await readArchive(call, () => storePdbs(call, blob)))];
  await inTransaction(call.context, async (context) => {
    await findVersion(context.db, { ownerId: owner.id, type: 'nuget', name: id }, version);
    await publish(context, { owner, type: 'nuget', name: id, version, files, existing: 'append' });
  });
  return empty(201);
}

async function receive(call: PackageCall, isSymbols: boolean) {
  const blob = await receivePackage(call, 'nuget', { shown: [] });
  const found = await readArchive(call, () => readPackage(call.context, randomAccess(call.context, blob)));
  if (found.isSymbols !== isSymbols) throw invalid('unexpected package type');
  return { blob, found };
}

/** Stores the PDBs of a package of symbols; those of one name are told apart by their ids. */
async function storePdbs({ context, contents }: PackageCall, archive: Content): Promise<NewFile[]> {
  const files: NewFile[] = [];
  const maxSize = maxFileSize(context, 'nuget');
  const visit: EntryVisitor = async ({ path, isFile, open }) => {
    if (!isFile || AROUND.test(path)) return undefined;
    if (!/\.pdb$/i.test(path) || !open) throw invalid('package contains invalid files');
    if (files.length === MAX_PDBS) throw invalid(`the package has more than ${MAX_PDBS} PDB files`);
    const blob = await contents.store(context, await open(), { maxSize });
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    files.push({ name, compositeKey: await readId(context, blob), blob });
    return undefined;
  };
  await readZip(randomAccess(context, archive), visit, { maxRatio: MAX_PDB_RATIO });
  if (files.length === 0) throw invalid('package does not contain PDB files');
  return files;
}

async function readId(context: Context, blob: Content): Promise<string> {
  const read = async (start: number, length: number) =>
    start >= blob.size
      ? Buffer.alloc(0)
      : await buffer(await openBlob(context, blob, { start, end: Math.min(start + length, blob.size) - 1 }));
  return pdbId(await read(findPdbStream(await read(0, MAX_ROOT)), 16));
}
