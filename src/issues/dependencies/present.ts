import { GHOST_ID } from '../../accounts/users/ghost.ts';
import type { Context } from '../../context.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { canReadIssue, type Issue } from '../find.ts';
import { presentIssues } from '../present.ts';
import type { Issue as IssueShape } from '../schema.ts';
import type { End } from './dependencies.ts';

type Wire = Shape<typeof IssueShape>;

/**
 * The dependencies of an issue. An issue that the caller may not read is shown without its title and the name of its
 * repository.
 */
export async function presentDependencies(context: Context, dependencies: readonly End[]): Promise<Wire[]> {
  const shown = dependencies.map(({ issue, access }) => (canReadIssue(access, issue) ? issue : withheld(issue)));
  const presented = await presentIssues(context, shown);
  return presented.map((wire, index) => (shown[index]?.id === 0 ? hidden(wire) : wire));
}

/** An issue without its private parts. */
function withheld(issue: Issue): Issue {
  return {
    ...issue,
    id: 0,
    author_id: GHOST_ID,
    original_author: '',
    original_author_id: 0,
    body: '',
    content_version: 0,
    ref: '',
    milestone_id: null,
    is_locked: false,
    comments_count: 0,
    time_estimate: 0,
    pin_order: 0,
    deadline_at: null,
    closed_at: null,
    merged_at: null,
  };
}

function hidden(wire: Wire): Wire {
  const never = wireTime(null);
  return {
    ...wire,
    url: '',
    html_url: '',
    number: 0,
    title: 'HIDDEN',
    state: 'open',
    created_at: never,
    updated_at: never,
    pull_request: null,
    repository: null,
  };
}
