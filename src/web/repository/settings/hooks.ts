import { repositoryAdmin, signedIn, webhooksOn } from '../../../access/requirements.ts';
import { signedInActor } from '../../../accounts/sign-in/actor.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { enqueueTestPush } from '../../../webhooks/payloads/test-push.ts';
import { hookPages } from '../../manage/hooks.ts';
import { repositorySection } from './frame.ts';

/** The webhooks of a repository. */
export const repositoryHookPages: readonly AnyRoute[] = hookPages(repositorySection('hooks'), {
  needs: [signedIn, repositoryAdmin, webhooksOn],
  scope: ({ repository }) => ({ repositoryId: repository.id }),
  hint: ({ view }) => view.text.manage.hooksHint,
  test: (visit, context, hook) => enqueueTestPush(context, visit.repository, hook, signedInActor(context)),
});
