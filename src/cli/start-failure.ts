import { BackupError } from '../backup/layout.ts';
import { CopyRefusedError } from '../backup/rows/copy.ts';
import { ValueError } from '../backup/rows/source.ts';
import { TargetNotEmptyError } from '../backup/rows/target.ts';
import { DatabaseError } from '../database/errors.ts';
import { FolderInUseError } from '../database/folder-lock.ts';
import { DatabaseVersionError, OlderProcessesError } from '../database/migrate.ts';
import { VolumeUnavailableError } from '../git/volumes.ts';
import { ImportError } from '../import/gitea/error.ts';
import { MoveError } from '../repositories/volumes/steps.ts';
import { SecretsError } from '../secrets.ts';
import { SettingsError } from '../settings.ts';
import { StartError } from '../start-error.ts';

const FORESEEN = [
  SettingsError,
  StartError,
  FolderInUseError,
  DatabaseVersionError,
  OlderProcessesError,
  ImportError,
  SecretsError,
  CopyRefusedError,
  ValueError,
  TargetNotEmptyError,
  MoveError,
  VolumeUnavailableError,
  BackupError,
];

/** Why a command could not start: the cause and the setting that helps; for unexpected errors, the stack. */
export function startFailure(error: unknown): string {
  if (error instanceof DatabaseError) return `${error.message}: ${reasonOf(error.cause)}; look at DATABASE_URL (database.url)`;
  if (!(error instanceof Error)) return String(error);
  return FORESEEN.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message);
}

/** Several addresses of one host fail as one error without a message of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return [...new Set(cause.errors.map(reasonOf))].join(', ');
  return cause instanceof Error ? cause.message : String(cause);
}
