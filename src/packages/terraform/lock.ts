import { randomUUID } from 'node:crypto';
import { now } from '../../clock.ts';
import type { Db } from '../../database/database.ts';
import { wireTime } from '../../http/schema.ts';
import { invalid } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readJson } from '../protocol/receive.ts';
import { listProperties, propertyOf, removeProperties, setProperties } from '../registry/properties.ts';

/** Who holds a state, as clients describe it (https://developer.hashicorp.com/terraform/language/backend/http). */
export interface Lock {
  readonly ID: string;
  readonly Operation: string;
  readonly Info: string;
  readonly Who: string;
  readonly Version: string;
  /** RFC 3339. */
  readonly Created: string;
  readonly Path: string;
}

/** The property of a package that has its lock, as JSON. */
const PROPERTY = 'terraform.lock';
/** Size limit of a description in bytes. */
const MAX_LOCK = 64 * 1024;
const NEVER = '0001-01-01T00:00:00Z';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Reads the body of a request that locks or unlocks.
 * @throws PackageError 400, 413
 */
export async function readLock(call: PackageCall): Promise<Lock> {
  const body = await readJson(call, MAX_LOCK);
  const text = (field: keyof Lock, missing = ''): string => {
    const value = body[field] ?? missing;
    if (typeof value !== 'string') throw invalid(`${field} of the lock is not a string`);
    return value;
  };
  const lock: Lock = {
    ID: text('ID'),
    Operation: text('Operation'),
    Info: text('Info'),
    Who: text('Who'),
    Version: text('Version'),
    Created: text('Created', NEVER),
    Path: text('Path'),
  };
  if (!TIME.test(lock.Created)) throw invalid('Created of the lock is not a time');
  if (lock.ID === '') throw invalid('terraform lock is missing an ID');
  return lock;
}

/** The lock of somebody who deletes the state. */
export function lockOfDeletion(who: string): Lock {
  const Info = 'the state is being deleted';
  return { ID: randomUUID(), Operation: 'OperationTypeDelete', Info, Who: who, Version: '', Created: wireTime(now()), Path: '' };
}

/** The lock of a package; undefined if it has none. */
export async function findLock(db: Db, packageId: number): Promise<Lock | undefined> {
  const value = propertyOf((await listProperties(db, 'package', [packageId])).get(packageId), PROPERTY);
  return value === undefined ? undefined : (JSON.parse(value) as Lock);
}

/** Locks a package, whose row the transaction has locked. */
export async function setLock(db: Db, packageId: number, lock: Lock): Promise<void> {
  await setProperties(db, 'package', packageId, { [PROPERTY]: JSON.stringify(lock) });
}

/** Unlocks a package. */
export async function removeLock(db: Db, packageId: number): Promise<void> {
  await removeProperties(db, 'package', packageId, [PROPERTY]);
}
