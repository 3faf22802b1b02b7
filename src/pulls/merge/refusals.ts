import type { MergeStyle } from '../../database/tables/pulls.ts';
import { MergeConflictError, NotFastForwardError } from '../../git/merge/merge.ts';
import { UnrelatedHistoriesError } from '../../git/merge/merge-trees.ts';
import { TooManyCommitsError } from '../../git/merge/pick.ts';
import { conflict, HttpError, unprocessable } from '../../http/errors.ts';

/**
 * Runs a merge, and converts conflicts to the errors that clients expect.
 * @throws HttpError 409; 422 for too many commits for a rebase
 */
export async function withMergeErrors<T>(style: MergeStyle, merge: () => Promise<T>): Promise<T> {
  try {
    return await merge();
  } catch (error) {
    if (error instanceof MergeConflictError) throw conflicting(style, error);
    if (error instanceof UnrelatedHistoriesError) throw conflictError(style, '', 'fatal: refusing to merge unrelated histories\n');
    if (error instanceof NotFastForwardError)
      throw conflict('the head branch is not ahead of the base branch: it cannot be fast-forwarded');
    if (error instanceof TooManyCommitsError) throw unprocessable(`the pull request has ${error.message}`);
    throw error;
  }
}

function conflicting(style: MergeStyle, { messages, commit }: MergeConflictError): HttpError {
  const text = `${messages.join('\n')}\n`;
  if (commit === undefined) return conflictError(style, text, '');
  return conflictError(style, text, `error: could not apply ${commit}\n`, { CommitSHA: commit });
}

/** The output in the form of a failing git. */
function conflictError(style: MergeStyle, stdout: string, stderr: string, fields: Record<string, string> = {}): HttpError {
  return new HttpError(409, `merge conflict: ${stderr}${stdout}`, {
    body: { Style: style, ...fields, StdOut: stdout, StdErr: stderr, Err: {} },
  });
}
