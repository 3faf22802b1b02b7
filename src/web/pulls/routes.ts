import type { AnyRoute } from '../../http/route.ts';
import { pullCommitPages } from './commits-page.ts';
import { pullFilePages } from './files-page.ts';
import { pullListPages } from './list-page.ts';
import { newPullPages } from './new-page.ts';
import { pullConversationPages } from './pull-page.ts';

/** Pull requests. */
export const pullPages: readonly AnyRoute[] = [
  ...pullListPages,
  ...newPullPages,
  ...pullConversationPages,
  ...pullCommitPages,
  ...pullFilePages,
];
