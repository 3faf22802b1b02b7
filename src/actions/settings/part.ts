import type { ActionsPart } from '../part.ts';
import { unshareTransferred } from './shared-repositories.ts';

/** The permissions of job tokens, and access to shared repositories. */
export const settings: ActionsPart = { within: { 'repository.transferred': unshareTransferred } };
