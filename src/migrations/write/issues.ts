import type { SourceIssue } from '../source/source.ts';
import { writeComments } from './comments.ts';
import { writeIssueRows } from './issue-rows.ts';
import type { Target } from './run.ts';

/** Writes a page of issues, and brings over their comments. */
export async function writeIssues(target: Target, issues: readonly SourceIssue[]): Promise<void> {
  await writeComments(target, await writeIssueRows(target, issues, () => ({})));
}
