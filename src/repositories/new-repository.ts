import type { Repository } from '../access/find-repository.ts';
import type { NewRepository, RepositoryUpdate } from '../database/tables/repositories.ts';
import type { GitRepository, ObjectFormat } from '../git/repository.ts';
import type { TemplateParts } from './generate/parts.ts';
import type { NewRepositoryKind } from './units.ts';

/** What a new repository begins with; what is left out follows the instance's settings. */
export interface NewRepositoryOptions {
  name: string;
  description?: string;
  isPrivate?: boolean;
  isTemplate?: boolean;
  /** Whether the repository begins with a commit of a README and the other requested files. */
  autoInit?: boolean;
  readme?: string;
  /** Names of `.gitignore` templates, separated by commas. */
  gitignores?: string;
  license?: string;
  /** The name of a label template. */
  issueLabels?: string;
  defaultBranch?: string;
  trustModel?: string;
  objectFormat?: ObjectFormat;
  kind?: NewRepositoryKind;
  /** Further columns: what it was forked, mirrored or generated from. */
  columns?: Partial<NewRepository>;
  /** What it is made from, for what other features copy (`repository.creating`). */
  template?: { repository: Repository; parts: TemplateParts };
  /** Puts content into the new folder; returns the columns that follow from it. Instead of `autoInit`. */
  fill?: (repository: Repository, folder: GitRepository) => Promise<RepositoryUpdate>;
}
