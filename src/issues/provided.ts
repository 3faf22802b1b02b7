import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Repository } from '../access/find-repository.ts';
import type { Tables } from '../database/tables.ts';
import type { Issue } from './find.ts';

declare module '../context.ts' {
  interface Provided {
    /** The condition that a review of a user is requested for a pull request. */
    isReviewRequested(where: ExpressionBuilder<Tables, 'issues'>, userId: number): Expression<SqlBool>;
    /** The condition that somebody has reviewed a pull request. */
    isReviewedBy(where: ExpressionBuilder<Tables, 'issues'>, userId: number): Expression<SqlBool>;
    /** Whether a commit merged this pull request: then its message names it without being a reference. */
    isMergeOf(context: Context, pull: Issue, commitId: string): Promise<boolean>;
    /** The repository of a release if the caller may read the release's files. */
    findRepositoryOfRelease(context: Context, releaseId: number): Promise<Repository | undefined>;
  }
}
