import type { Repository } from '../access/find-repository.ts';
import type { NewRepository, RepositoryUpdate } from '../database/tables/repositories.ts';
import type { GitRepository, ObjectFormat } from '../git/repository.ts';
import type { TemplateParts } from './generate/parts.ts';
import type { NewRepositoryKind } from './units.ts';

/** The options of a new repository; the defaults are the instance's settings. */
export interface NewRepositoryOptions {
  name: string;
  description?: string;
  isPrivate?: boolean;
  isTemplate?: boolean;
  /** Whether to create a first commit with a README and the other requested files. */
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
  /** Further columns: the source of a fork, a mirror or a generated repository. */
  columns?: Partial<NewRepository>;
  /** The template, for what other features copy (`repository.creating`). */
  template?: { repository: Repository; parts: TemplateParts };
  /** Writes content into the new folder; returns the columns that depend on it. Instead of `autoInit`. */
  fill?: (repository: Repository, folder: GitRepository) => Promise<RepositoryUpdate>;
}
