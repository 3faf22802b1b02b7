import type { AnyRoute } from '../../http/route.ts';
import { pullCommitPages } from './commits-page.ts';
import { conflictPages } from './conflicts/page.ts';
import { pullFilePages } from './files/page.ts';
import { viewedFilePages } from './files/viewed.ts';
import { pullListPages } from './list-page.ts';
import { newPullPages } from './new-page.ts';
import { pullConversationPages } from './pull-page.ts';

/** Pull requests. */
export const pullPages: readonly AnyRoute[] = [
  ...pullListPages,
  ...newPullPages,
  ...pullConversationPages,
  ...conflictPages,
  ...pullCommitPages,
  ...pullFilePages,
  ...viewedFilePages,
];
