import { signedIn } from '../../access/requirements.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { AnyRoute } from '../../http/route.ts';
import { acceptTransfer, rejectTransfer } from '../../repositories/transfer/transfer.ts';
import { seeOther } from '../page.ts';
import { repositoryPage } from '../resource-pages.ts';

/** Accepting or rejecting the transfer of a repository. */
export const transferPages: readonly AnyRoute[] = [
  ...repositoryPage({
    path: '/:owner/:repo/action/accept_transfer',
    needs: [signedIn],
    post: async ({ repository }, context) => {
      const { owner, name } = await acceptTransfer(context, repository, signedInActor(context));
      return seeOther(context, `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}`);
    },
  }),
  ...repositoryPage({
    path: '/:owner/:repo/action/reject_transfer',
    needs: [signedIn],
    post: async ({ repository }, context) => {
      await rejectTransfer(context, repository, signedInActor(context));
      // After rejecting it, the user may no longer see it.
      return seeOther(context, '');
    },
  }),
];
