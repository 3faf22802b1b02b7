import { repositoryAdmin, repositoryOwner, signedIn } from '../../../access/requirements.ts';
import type { AnyRoute } from '../../../http/route.ts';
import { runnerPages } from '../../manage/runners.ts';
import { secretPages, variablePages } from '../../manage/values.ts';
import { seeOther } from '../../page.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { automationGeneralPages } from './automation-general.ts';
import { repositorySection, settingsPath } from './frame.ts';

const owner = {
  needs: [signedIn, repositoryOwner],
  scope: ({ repository }: RepositoryVisit) => ({ repositoryId: repository.id }),
};

/** The secrets and variables of a repository's jobs, and its own runners. */
export const repositoryAutomationPages: readonly AnyRoute[] = [
  ...automationGeneralPages,
  ...repositoryPage({
    path: '/:owner/:repo/settings/actions',
    needs: [signedIn, repositoryAdmin],
    get: async ({ repository }, context) => seeOther(context, settingsPath(repository, 'automation')),
  }),
  ...secretPages(repositorySection('secrets'), owner),
  ...variablePages(repositorySection('variables'), owner),
  ...runnerPages(repositorySection('runners'), owner),
];
