import { orgOwner, orgVisible, signedIn } from '../../access/requirements.ts';
import type { Context } from '../../context.ts';
import type { Document } from '../document.ts';
import { type Html, html } from '../html.ts';
import { type SettingsArea, sectionOf } from '../manage/section.ts';
import { type OrganizationVisit, organizationPage } from '../resource-pages.ts';
import { path } from '../view.ts';
import { organizationDocument, organizationPagePath } from './frame.ts';

const PATHS = {
  general: 'settings',
  labels: 'settings/labels',
  hooks: 'settings/hooks',
  automation: 'settings/actions/general',
  runners: 'settings/actions/runners',
  secrets: 'settings/actions/secrets',
  variables: 'settings/actions/variables',
  packages: 'settings/packages',
  applications: 'settings/applications',
  blocked: 'settings/blocked_users',
  worktime: 'worktime',
  audit: 'settings/audit',
} as const;

type OrganizationSettingsPage = keyof typeof PATHS;

/** The requirements of every settings page of an organization. */
export const OWNER_NEEDS = [signedIn, orgVisible(), orgOwner] as const;

const area: SettingsArea<OrganizationVisit, OrganizationSettingsPage> = {
  page: organizationPage,
  root: 'org/:org/',
  paths: PATHS,
  address: ({ organization }) => organizationPagePath(organization, ''),
  needs: OWNER_NEEDS,
  document,
  level: 3,
};

/** A page of the settings of an organization. */
export const organizationSection = (page: OrganizationSettingsPage) => sectionOf(area, page);

function document(
  visit: OrganizationVisit,
  context: Context,
  { page: current, body, status }: { page: OrganizationSettingsPage; body: Html; status: number },
): Promise<Document> {
  const { view, organization } = visit;
  const { owners: text, common } = view.text;
  const title = text.pages[current];
  const { settings } = context;
  const shown = (Object.keys(PATHS) as OrganizationSettingsPage[]).filter(
    (page) =>
      (page !== 'hooks' || settings.webhooks.enabled) &&
      (page !== 'packages' || settings.packages.enabled) &&
      (page !== 'applications' || settings.oauth2.enabled),
  );
  const link = (page: OrganizationSettingsPage) => path(view, organizationPagePath(organization, PATHS[page]));
  const content = html`<div class="with-menu"><nav class="side-menu" aria-label="${common.settings}">${shown.map(
    (page) => html`<a href="${link(page)}"${page === current && html` aria-current="page"`}>${text.pages[page]}</a>`,
  )}</nav><div class="settings"><h2>${title}</h2>${body}</div></div>`;
  return organizationDocument(visit, context, organization, 'settings', content, { status, title });
}
