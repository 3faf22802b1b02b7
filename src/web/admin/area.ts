import type { AnyRoute } from '../../http/route.ts';
import { auditSection } from '../manage/audit.ts';
import { hookPages } from '../manage/hooks.ts';
import { applicationPages } from '../manage/oauth2.ts';
import { runnerPages } from '../manage/runners.ts';
import { type SettingsArea, sectionOf } from '../manage/section.ts';
import { variablePages } from '../manage/values.ts';
import type { Visit } from '../page.ts';
import { plainPage } from '../resource-pages.ts';
import { ADMIN_NEEDS, ADMIN_PATHS, type AdminPage, adminDocument } from './frame.ts';

const area: SettingsArea<Visit, AdminPage> = {
  page: plainPage,
  root: '',
  paths: ADMIN_PATHS,
  address: () => '',
  needs: ADMIN_NEEDS,
  document: async ({ view }, context, { page, body, status }) => adminDocument(view, context, { current: page, body, status }),
  level: 2,
};

/** A page of the administration. */
export const adminSection = (page: AdminPage) => sectionOf(area, page);

const owner = { needs: ADMIN_NEEDS, scope: () => ({ instance: true }) as const };

/** What the instance has as other owners do. */
export const sharedPages: readonly AnyRoute[] = [
  ...hookPages(adminSection('hooks'), { ...owner, hint: ({ view }) => view.text.owners.instanceHooksHint, ofInstance: true }),
  ...applicationPages(adminSection('applications'), { needs: ADMIN_NEEDS, ownerOf: () => null }),
  ...variablePages(adminSection('variables'), owner),
  ...runnerPages(adminSection('runners'), owner),
  ...auditSection(adminSection('audit')),
];
