import { explore, signedIn } from '../../access/requirements.ts';
import type { AnyRoute } from '../../http/route.ts';
import { forFeedReaders } from '../feed-reader.ts';
import { accountPage } from '../resource-pages.ts';
import { accountPageOf, changeFollowing } from './profile.ts';

/** The pages of people and organizations. */
export const peoplePages: readonly AnyRoute[] = [
  ...accountPage({ path: '/:username', before: forFeedReaders, needs: [explore], get: accountPageOf }),
  ...accountPage({ path: '/:username/-/follow', needs: [signedIn], post: changeFollowing }),
];
