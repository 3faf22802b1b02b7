import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { MigrationStep } from '../../database/tables/migrations.ts';
import type { People } from './people.ts';

/** The arguments of the writing parts of a migration. */
export interface Target {
  /** The user who started the migration. */
  readonly context: Context;
  readonly repository: Repository;
  readonly people: People;
  readonly signal: AbortSignal;
  /** Bytes of files that may still be stored. */
  readonly files: { left: number };
  /** Says how far the step is. */
  readonly progress: (step: MigrationStep, done: number) => void;
}
