import { empty } from '../../http/responses.ts';
import { openArchive } from '../blobs/content.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { deleteVersion } from '../registry/delete.ts';
import { deletePackage } from '../registry/delete-package.ts';
import { findPackage, findVersion, listVersions } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';
import { readCookbook } from './metadata.ts';
import { UNIVERSE } from './universe.ts';

/** `POST /cookbooks`: shares a cookbook. */
export async function share(call: PackageCall) {
  const { context, owner } = call;
  const blob = await receivePackage(call, 'chef', { field: 'tarball' });
  const { name, version, metadata } = await readArchive(call, async () => readCookbook(await openArchive(context, blob)));
  const files = [{ name: `${version}.tar.gz`, blob, isLead: true }];
  await publish(context, { owner, type: 'chef', name, version, metadata, semverCompatible: true, files, indexes: [UNIVERSE] });
  return json({}, { status: 201 });
}

/** `DELETE /cookbooks/NAME/versions/VERSION` */
export async function unshareVersion({ context, owner, params }: PackageCall) {
  const { name = '', version = '' } = params;
  await deleteVersion(context, await findVersion(context.db, { ownerId: owner.id, type: 'chef', name }, version));
  return empty(200);
}

/** `DELETE /cookbooks/NAME`: all versions. */
export async function unshare({ context, owner, params }: PackageCall) {
  const named = { ownerId: owner.id, type: 'chef', name: params.name ?? '' } as const;
  if ((await listVersions(context.db, named)).length === 0) throw new PackageError('no-package', { message: '' });
  await deletePackage(context, await findPackage(context.db, named));
  return empty(200);
}
