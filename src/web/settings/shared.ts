import { signedIn, webhooksOn } from '../../access/requirements.ts';
import type { AnyRoute } from '../../http/route.ts';
import { automationSettingsPages } from '../manage/automation-settings.ts';
import { blockPages } from '../manage/blocks.ts';
import { hookPages } from '../manage/hooks.ts';
import { runnerPages } from '../manage/runners.ts';
import { secretPages, variablePages } from '../manage/values.ts';
import { seeOther } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { accountSection, type OwnVisit } from './area.ts';
import { SETTINGS_PATHS } from './frame.ts';

const owner = { needs: [signedIn], scope: ({ user }: OwnVisit) => ({ ownerId: user.id }) };

/** The settings pages that accounts share with other owners. */
export const sharedPages: readonly AnyRoute[] = [
  ...hookPages(accountSection('hooks'), {
    ...owner,
    needs: [signedIn, webhooksOn],
    hint: ({ view }) => view.text.owners.accountHooksHint,
  }),
  ...plainPage({
    path: '/user/settings/actions',
    needs: [signedIn],
    get: async (_, context) => seeOther(context, SETTINGS_PATHS.automation),
  }),
  ...automationSettingsPages(accountSection('automation'), { needs: [signedIn], ownerOf: ({ user }) => user }),
  ...secretPages(accountSection('secrets'), owner),
  ...variablePages(accountSection('variables'), owner),
  ...runnerPages(accountSection('runners'), owner),
  ...blockPages(accountSection('blocked'), ({ user }) => user),
];
