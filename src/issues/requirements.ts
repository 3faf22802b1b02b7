import { unitOn } from '../http/requirements.ts';

/** What every route about issues begins with: issues or pull requests are enabled and readable. */
export const issuesOrPulls = unitOn('issues', 'pulls');
