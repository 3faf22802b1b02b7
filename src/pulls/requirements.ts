import { canRead, unitOn } from '../access/requirements.ts';

/** The first requirements of every route about pull requests: they are enabled, and so is the code; both can be read. */
export const pullsOn = [unitOn('pulls'), canRead('code')] as const;

/** The number of the pull request in a path, for the API description. */
export const pullIndex = { index: { type: 'integer', format: 'int64', description: 'the number of the pull request' } } as const;
