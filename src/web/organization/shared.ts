import { webhooksOn } from '../../access/requirements.ts';
import type { AnyRoute } from '../../http/route.ts';
import { auditSection } from '../manage/audit.ts';
import { automationSettingsPages } from '../manage/automation-settings.ts';
import { blockPages } from '../manage/blocks.ts';
import { cleanupRulePages } from '../manage/cleanup-rules.ts';
import { hookPages } from '../manage/hooks.ts';
import { applicationPages } from '../manage/oauth2.ts';
import { runnerPages } from '../manage/runners.ts';
import { secretPages, variablePages } from '../manage/values.ts';
import { seeOther } from '../page.ts';
import { type OrganizationVisit, organizationPage } from '../resource-pages.ts';
import { OWNER_NEEDS, organizationSection } from './settings-frame.ts';

const owner = { needs: OWNER_NEEDS, scope: ({ organization }: OrganizationVisit) => ({ ownerId: organization.id }) };

const automation = organizationSection('automation');

/** The settings pages that organizations share with other owners. */
export const sharedPages: readonly AnyRoute[] = [
  ...hookPages(organizationSection('hooks'), {
    ...owner,
    needs: [...OWNER_NEEDS, webhooksOn],
    hint: ({ view }) => view.text.owners.organizationHooksHint,
  }),
  ...organizationPage({
    path: '/org/:org/settings/actions',
    needs: OWNER_NEEDS,
    get: async (visit, context) => seeOther(context, automation.address(visit)),
  }),
  ...automationSettingsPages(automation, { needs: OWNER_NEEDS, ownerOf: ({ organization }) => organization }),
  ...secretPages(organizationSection('secrets'), owner),
  ...variablePages(organizationSection('variables'), owner),
  ...runnerPages(organizationSection('runners'), owner),
  ...cleanupRulePages(organizationSection('packages'), { owner: ({ organization }) => organization }),
  ...applicationPages(organizationSection('applications'), { needs: OWNER_NEEDS, ownerOf: ({ organization }) => organization }),
  ...blockPages(organizationSection('blocked'), ({ organization }) => organization),
  ...auditSection(organizationSection('audit'), ({ organization }) => organization.id),
];
