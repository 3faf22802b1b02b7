import { signedIn, starsOn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import { empty } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { star, unstar } from '../../repositories/stars/stars.ts';
import { startWatching, unwatch } from '../../repositories/watches/watches.ts';
import { safeRedirect } from '../redirects.ts';
import { type RepositoryVisit, repositoryPage } from '../resource-pages.ts';

type Change = (context: Context, visit: RepositoryVisit) => Promise<void>;

/** The buttons on top of a repository. */
export const starAndWatchPages: readonly AnyRoute[] = [
  ...button('star', (context, { repository }) => star(context, repository, signedInActor(context))),
  ...button('unstar', (context, { repository }) => unstar(context, repository, signedInActor(context))),
  ...button('watch', (context, { repository }) => startWatching(context, repository, signedInActor(context))),
  ...button('unwatch', (context, { repository }) => unwatch(context, repository, signedInActor(context).id)),
];

function button(name: string, change: Change): AnyRoute[] {
  const isStar = name.endsWith('star');
  return repositoryPage({
    path: `/:owner/:repo/action/${name}`,
    needs: [signedIn, ...(isStar ? [starsOn] : [])],
    post: async (visit, context) => {
      await change(context, visit);
      const location = safeRedirect(visit.fields.get('back') ?? '', context.settings.server.rootUrl);
      return empty(303, { location, 'cache-control': 'no-store' });
    },
  });
}
