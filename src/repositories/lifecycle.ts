import type { Context } from '../context.ts';
import type { NewRepositoryOptions } from './create.ts';
import type { Repository } from './find.ts';

/** What another feature does while a repository is made, in the transaction that makes it ready. */
export type CreationStep = (context: Context, repository: Repository, options: NewRepositoryOptions) => Promise<void>;

/** What another feature removes with a repository besides its rows: stored files. Runs in the background, and again after a failure. */
export type RemovalStep = (context: Context, repositoryId: number) => Promise<void>;

/**
 * The steps that features further down the house add to making and removing a repository. They are put in by name in
 * subscriptions.ts: repositories must not import those features.
 */
export const creationSteps = new Map<string, CreationStep>();
export const removalSteps = new Map<string, RemovalStep>();
