import type { Generated, Selectable } from 'kysely';

/** Repositories that are being moved to another volume. */
export interface RepositoryMovesTable {
  repository_id: number;
  from_volume: string;
  to_volume: string;
  /**
   * `copying`: nothing changes for anybody. `locked`: nobody writes while the process that moves it lives. `moved`: the row of the
   * repository names the new volume, and the old copy is deleted when it has no readers.
   */
  phase: Generated<'copying' | 'locked' | 'moved'>;
  /** Grows with each change of the phase: processes confirm it. */
  step: Generated<number>;
  /** The process that moves it; null once that is dead. */
  process_id: number | null;
}

/** The processes that have confirmed a step of a move: they no longer write, or no longer read the old volume. */
export interface RepositoryMoveStepsTable {
  repository_id: number;
  process_id: number;
  step: number;
}

export interface VolumeTables {
  repository_moves: RepositoryMovesTable;
  repository_move_steps: RepositoryMoveStepsTable;
}

export type RepositoryMove = Selectable<RepositoryMovesTable>;
