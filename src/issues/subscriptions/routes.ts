import { signedIn } from '../../access/requirements.ts';
import { repositoryRoute } from '../../access/routes.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { presentUsers } from '../../accounts/users/present.ts';
import { User } from '../../accounts/users/schema.ts';
import type { Context } from '../../context.ts';
import { listed, pageOf } from '../../http/paging.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { type AnyRoute, pageQuery } from '../../http/route.ts';
import { array, ref, wireTime } from '../../http/schema.ts';
import { repositoryApiUrl } from '../../repositories/urls.ts';
import { WatchInfo } from '../../repositories/watches/schema.ts';
import { type IssueInput, issueOf } from '../find.ts';
import { issuesOrPulls } from '../requirements.ts';
import { issueApiUrl } from '../urls.ts';
import { findSubscriber, isSubscribed, listSubscribers, subscribe } from './subscriptions.ts';

const index = { type: 'integer', format: 'int64', description: 'number of the issue' } as const;
const common = { scope: 'issue', tag: 'issue', parameters: { index } } as const;
const changing = {
  ...common,
  path: '/repos/:owner/:repo/issues/:index/subscriptions/:user',
  needs: [issuesOrPulls, signedIn],
  parameters: { index, user: { description: 'name of the user' } },
  responses: { 200: null, 201: null },
} as const;

/** Subscriptions to an issue. */
export const subscriptionRoutes: readonly AnyRoute[] = [
  repositoryRoute({
    ...common,
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:index/subscriptions',
    id: 'issueSubscriptions',
    summary: 'Lists the subscribers of an issue',
    needs: [issuesOrPulls],
    query: pageQuery,
    responses: { 200: array(ref(User)) },
    handle: async (input, context) => {
      const { users, total } = await listSubscribers(context, await issueOf(input, context), pageOf(context, input.query));
      return listed(presentUsers(context, users), total);
    },
  }),
  repositoryRoute({
    ...common,
    method: 'GET',
    path: '/repos/:owner/:repo/issues/:index/subscriptions/check',
    id: 'issueCheckSubscription',
    summary: 'Checks whether the caller is subscribed to an issue',
    needs: [issuesOrPulls, signedIn],
    responses: { 200: WatchInfo },
    handle: async (input, context) => {
      const issue = await issueOf(input, context);
      const subscribed = await isSubscribed(context, issue, signedInActor(context));
      return {
        subscribed,
        ignored: !subscribed,
        reason: null,
        created_at: wireTime(issue.created_at),
        url: `${issueApiUrl(context.settings, issue)}/subscriptions`,
        repository_url: repositoryApiUrl(context.settings, issue.repository),
      };
    },
  }),
  repositoryRoute({
    ...changing,
    method: 'PUT',
    id: 'issueAddSubscription',
    summary: 'Subscribes a user to an issue',
    handle: async (input, context) => change(context, input, true),
  }),
  repositoryRoute({
    ...changing,
    method: 'DELETE',
    id: 'issueDeleteSubscription',
    summary: 'Unsubscribes a user from an issue',
    handle: async (input, context) => change(context, input, false),
  }),
];

async function change(context: Context, input: IssueInput & { params: { user: string } }, isWatching: boolean): Promise<HttpResponse> {
  const issue = await issueOf(input, context);
  const user = await findSubscriber(context, issue, input.params.user);
  return empty((await subscribe(context, issue, user, isWatching)) ? 201 : 200);
}
