import { type Context, inTransaction } from '../../context.ts';
import type { PackageRow, VersionRow } from '../../database/tables/packages.ts';
import { empty, HttpResponse } from '../../http/responses.ts';
import { invalid, PackageError } from '../errors.ts';
import type { PackageCall, PackageFormat } from '../protocol/format.ts';
import { receivePackage } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { deleteVersion } from '../registry/delete.ts';
import { deletePackage } from '../registry/delete-package.ts';
import { findFile, findPackage, findVersion } from '../registry/find.ts';
import { ensurePackage, publish } from '../registry/publish.ts';
import { searchVersions } from '../registry/search.ts';
import { findLock, type Lock, lockOfDeletion, readLock, removeLock, setLock } from './lock.ts';
import { MAX_STATE, readSerial } from './state.ts';

const TYPE = 'terraform';
const FILE = 'tfstate';
const STATE = '/terraform/state/:name';

/**
 * States of Terraform and OpenTofu: a backend of the type `http` (https://developer.hashicorp.com/terraform/language/backend/http). Each
 * serial is a version.
 */
export const terraform: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'GET', path: STATE, access: 'read', handle: readLatest },
    { method: 'GET', path: `${STATE}/versions/:serial`, access: 'read', handle: readState },
    { method: 'POST', path: STATE, access: 'write', handle: storeState },
    { method: 'DELETE', path: STATE, access: 'write', handle: removeState },
    { method: 'DELETE', path: `${STATE}/versions/:serial`, access: 'write', handle: removeSerial },
    { method: 'POST', path: `${STATE}/lock`, access: 'write', handle: lockState },
    { method: 'DELETE', path: `${STATE}/lock`, access: 'write', handle: unlockState },
  ],
};

async function readLatest(call: PackageCall): Promise<HttpResponse> {
  const version = await findLatest(call);
  if (!version) throw new PackageError('no-package', { message: '' });
  return await serveFile(call, await findFile(call.context.db, version.id, { name: FILE }));
}

async function readState(call: PackageCall): Promise<HttpResponse> {
  const { id } = await findVersion(call.context.db, named(call), call.params.serial ?? '');
  return await serveFile(call, await findFile(call.context.db, id, { name: FILE }));
}

async function storeState(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, query } = call;
  const { name } = validName(call);
  const holder = query.get('ID') ?? '';
  const refused = (lock: Lock | undefined) => (lock && lock.ID !== holder ? lockedBy(lock) : undefined);
  const known = await findPackage(context.db, named(call)).catch(none);
  const early = refused(known && (await findLock(context.db, known.id)));
  if (early) return early;
  const blob = await receivePackage(call, TYPE, { maxSize: MAX_STATE, shown: [] });
  const serial = await readSerial(context, blob);
  return await locking(call, async (context, { id }) => {
    const late = refused(await findLock(context.db, id));
    if (late) return late;
    const files = [{ name: FILE, blob, isLead: true }];
    await publish(context, { owner, type: TYPE, name, version: String(serial), existing: 'append', files });
    return empty(201);
  });
}

/** The deletion holds the lock until the last version is gone, so that nobody adds to a state that is half deleted. */
async function removeState(call: PackageCall): Promise<HttpResponse> {
  const row = await findPackage(call.context.db, named(call));
  await deletePackage(call.context, row, async ({ db, actor }) => {
    const { id } = await findPackage(db, named(call));
    if (await findLock(db, id)) throw new PackageError('invalid', { status: 423, message: 'terraform state is locked' });
    await setLock(db, id, lockOfDeletion(actor?.name ?? ''));
  });
  return empty(200);
}

async function removeSerial(call: PackageCall): Promise<HttpResponse> {
  await findPackage(call.context.db, named(call));
  return await locking(call, async (context) => {
    const version = await findVersion(context.db, named(call), call.params.serial ?? '');
    const latest = await findLatest({ ...call, context });
    if (latest?.id === version.id) throw new PackageError('forbidden', { message: 'cannot delete the latest version' });
    await deleteVersion(context, version);
    return empty(204);
  });
}

async function lockState(call: PackageCall): Promise<HttpResponse> {
  validName(call);
  const wanted = await readLock(call);
  return await locking(call, async ({ db }, { id }) => {
    const lock = await findLock(db, id);
    if (lock) return lockedBy(lock);
    await setLock(db, id, wanted);
    return empty(200);
  });
}

async function unlockState(call: PackageCall): Promise<HttpResponse> {
  validName(call);
  const given = await readLock(call);
  if (!(await findPackage(call.context.db, named(call)).catch(none))) return empty(200);
  return await locking(call, async ({ db }, { id }) => {
    const lock = await findLock(db, id);
    if (lock && lock.ID !== given.ID) throw new PackageError('invalid', { status: 423, message: 'lock ID mismatch' });
    await removeLock(db, id);
    return empty(200);
  });
}

/** Changes a state in a transaction that has locked its package, which is made if there is none: one change waits for another. */
async function locking<R>(call: PackageCall, change: (context: Context, row: PackageRow) => Promise<R>): Promise<R> {
  const { owner, params } = call;
  return await inTransaction(call.context, async (context) =>
    change(context, await ensurePackage(context, { owner, type: TYPE, name: params.name ?? '' })),
  );
}

async function findLatest(call: PackageCall): Promise<VersionRow | undefined> {
  return (await searchVersions(call.context.db, { ...named(call), latest: true }, { limit: 1 }))[0];
}

function lockedBy(lock: Lock): HttpResponse {
  return new HttpResponse(lock, { status: 423 });
}

function named({ owner, params }: PackageCall) {
  return { ownerId: owner.id, type: TYPE, name: params.name ?? '' } as const;
}

function validName({ params: { name = '' } }: PackageCall): { name: string } {
  const isName = /^[-_+.\w]+$/.test(name) && name !== '..' && (name.length > 1 || /^[a-z0-9]$/i.test(name));
  if (!isName) throw invalid('invalid package name');
  return { name };
}

function none(error: unknown): undefined {
  if (!(error instanceof PackageError)) throw error;
}
