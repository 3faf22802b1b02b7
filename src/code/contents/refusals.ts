import {
  BranchExistsError,
  CommitMismatchError,
  FileExistsError,
  InvalidPathError,
  ShaMismatchError,
} from '../../git/edit/change-errors.ts';
import { NothingToPickError } from '../../git/merge/pick-change.ts';
import { InvalidSignatureError } from '../../git/objects/format-identity.ts';
import { InvalidObjectError } from '../../git/objects/write-objects.ts';
import { RefConflictError } from '../../git/refs/update-refs.ts';
import { forbidden } from '../../http/errors.ts';
import type { Refusal } from '../protections/decide.ts';

/** The errors of a change that become a 422 with their own message. */
export const UNPROCESSABLE = [
  BranchExistsError,
  CommitMismatchError,
  FileExistsError,
  InvalidPathError,
  ShaMismatchError,
  InvalidSignatureError,
  InvalidObjectError,
  NothingToPickError,
];

/** Converts the error for a new branch whose name conflicts with another one's, as for a push. */
export function refuseTakenName(error: unknown): never {
  if (!(error instanceof RefConflictError)) throw error;
  throw forbidden(`cannot lock ref '${error.ref}': '${error.existing}' exists; cannot create '${error.ref}'`);
}

/** On an existing branch, the error says that the caller may not push, for every rule. */
export function ownWords(refusal: Refusal, userName: string): string {
  if (refusal.reason === 'file' && refusal.mayPush) return `path is protected and can not be changed [path: ${refusal.path}]`;
  return `user cannot commit to repo [user: ${userName}]`;
}
