import type { ActionsPart } from '../part.ts';
import { unshareTransferred } from './shared-repositories.ts';

/** What the tokens of jobs may do, and whose jobs use a repository. */
export const settings: ActionsPart = { within: { 'repository.transferred': unshareTransferred } };
