import { ownerAccess } from '../../access/repository-access.ts';
import { repositoryOwner, signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { HttpResponse } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { presentRepository } from '../present.ts';
import { Repository } from '../schema.ts';
import { TransferRepoOption } from './schema.ts';
import { acceptTransfer, rejectTransfer, startTransfer } from './transfer.ts';

/** Transferring repositories to other owners. */
export const transferRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/transfer',
    id: 'repoTransfer',
    summary: 'Transfers a repository to another owner',
    scope: 'repository',
    needs: [signedIn, repositoryOwner],
    body: TransferRepoOption,
    bodyParameter: { required: true },
    responses: { 202: Repository, 201: Repository },
    also: [409],
    handle: async ({ repository, body }, context) => {
      const to = { newOwner: body.new_owner ?? '', teamIds: body.team_ids };
      const started = await startTransfer(context, repository, signedInActor(context), to);
      const shape = await presentRepository(context, started.repository, ownerAccess(started.repository));
      return new HttpResponse(shape, { status: started.isPending ? 201 : 202 });
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/transfer/accept',
    id: 'acceptRepoTransfer',
    summary: 'Accepts a transfer',
    scope: 'repository',
    needs: [signedIn],
    responses: { 202: Repository },
    handle: async ({ repository, access }, context) =>
      presentRepository(context, await acceptTransfer(context, repository, signedInActor(context)), access),
  }),
  repositoryRoute({
    method: 'POST',
    path: '/repos/:owner/:repo/transfer/reject',
    id: 'rejectRepoTransfer',
    summary: 'Rejects a transfer',
    scope: 'repository',
    needs: [signedIn],
    responses: { 200: Repository },
    handle: async ({ repository, access }, context) =>
      presentRepository(context, await rejectTransfer(context, repository, signedInActor(context)), access),
  }),
];
