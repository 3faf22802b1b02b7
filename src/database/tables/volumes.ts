import type { Generated, Selectable } from 'kysely';

/** The repositories that are being moved to another volume. */
export interface RepositoryMovesTable {
  repository_id: number;
  from_volume: string;
  to_volume: string;
  /**
   * `copying`: nothing changes for anybody. `locked`: nobody writes, as long as there is the process that moves it. `moved`: the row of
   * the repository names the new volume, and what lies on the old one goes when its readers are gone.
   */
  phase: Generated<'copying' | 'locked' | 'moved'>;
  /** Grows with each change of the phase: what processes confirm. */
  step: Generated<number>;
  /** The process that moves it; null once that is gone. */
  process_id: number | null;
}

/** Which processes have followed a step of a move: they write nothing, or read nothing on the old volume. */
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
