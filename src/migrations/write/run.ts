import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { MigrationStep } from '../../database/tables/migrations.ts';
import type { People } from './people.ts';

/** What the parts of a migration that write are given. */
export interface Target {
  /** In the name of who asked for the migration. */
  readonly context: Context;
  readonly repository: Repository;
  readonly people: People;
  readonly signal: AbortSignal;
  /** Bytes of files that may still be stored. */
  readonly files: { left: number };
  /** Says how far the step is. */
  readonly progress: (step: MigrationStep, done: number) => void;
}
