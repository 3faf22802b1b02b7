import { empty } from '../../http/responses.ts';
import { invalid } from '../errors.ts';
import type { PackageCall, PackageFormat } from '../protocol/format.ts';
import { receivePackage } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { deleteFile, deleteVersion } from '../registry/delete.ts';
import { findFile, findVersion } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';

const TYPE = 'generic';

/** Any files, under the names and versions that users give them. */
export const generic: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'GET', head: true, path: '/generic/:name/:version/:file', access: 'read', handle: download },
    { method: 'PUT', path: '/generic/:name/:version/:file', access: 'publish', handle: upload },
    { method: 'DELETE', path: '/generic/:name/:version/:file', access: 'write', handle: removeFile },
    { method: 'DELETE', path: '/generic/:name/:version', access: 'write', handle: remove },
  ],
};

async function download(call: PackageCall) {
  const { version } = await find(call);
  return await serveFile(call, await findFile(call.context.db, version.id, { name: call.params.file ?? '' }));
}

async function upload(call: PackageCall) {
  const { name = '', version = '', file = '' } = call.params;
  if (!isPackageName(name)) throw invalid('invalid package name');
  if (!isFileName(file)) throw invalid('invalid filename');
  if (version !== version.trim()) throw invalid('invalid package version');
  const blob = await receivePackage(call, TYPE);
  const { context, owner } = call;
  await publish(context, { owner, type: TYPE, name, version, existing: 'append', files: [{ name: file, blob, isLead: true }] });
  return empty(201);
}

async function remove(call: PackageCall) {
  const { version } = await find(call);
  await deleteVersion(call.context, version);
  return empty(204);
}

async function removeFile(call: PackageCall) {
  const { version } = await find(call);
  const { file } = await findFile(call.context.db, version.id, { name: call.params.file ?? '' });
  await deleteFile(call.context, version, file);
  return empty(204);
}

async function find({ context, owner, params }: PackageCall) {
  const { name = '', version = '' } = params;
  return { version: await findVersion(context.db, { ownerId: owner.id, type: TYPE, name }, version) };
}

function isPackageName(name: string): boolean {
  return /^[-_+.\w]+$/.test(name) && name !== '..' && (name.length > 1 || /^[a-z0-9]$/i.test(name));
}

function isFileName(name: string): boolean {
  return /^[-_+=:;.()[\]{}~!@#$%^& \w]+$/.test(name) && name.trim() === name && name !== '.' && name !== '..';
}
