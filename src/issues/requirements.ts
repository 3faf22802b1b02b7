import { unitOn } from '../access/requirements.ts';

/** The first requirement of every route about issues: issues or pull requests are enabled and readable. */
export const issuesOrPulls = unitOn('issues', 'pulls');

/** The number of the issue in a path, for the API description. */
export const indexParameter = { index: { type: 'integer', format: 'int64', description: 'the number of the issue' } } as const;

/** An id in a path, for the API description. */
export const idParameter = { id: { type: 'integer', format: 'int64', description: 'the id' } } as const;
