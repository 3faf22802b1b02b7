import type { Repository } from '../../../access/find-repository.ts';
import { repositoryAdmin, signedIn } from '../../../access/requirements.ts';
import type { Context } from '../../../context.ts';
import { HttpError } from '../../../http/errors.ts';
import type { AnyRoute, Requirement } from '../../../http/route.ts';
import type { Document } from '../../document.ts';
import { type Html, html } from '../../html.ts';
import { fault, seeOther } from '../../page.ts';
import { type RepositoryVisit, repositoryPage } from '../../resource-pages.ts';
import { repositoryDocument, repositoryPath } from '../frame.ts';

const PATHS = {
  general: 'settings',
  collaboration: 'settings/collaboration',
  branches: 'settings/branches',
  hooks: 'settings/hooks',
  keys: 'settings/keys',
  secrets: 'settings/actions/secrets',
  variables: 'settings/actions/variables',
} as const;

/** The pages of the settings of a repository, in the order of their menu. */
export type RepositorySettingsPage = keyof typeof PATHS;

/** What went wrong with a form of a page. */
export interface Problem {
  readonly form: string;
  readonly error: HttpError;
}

/** A page of settings with its forms. */
interface SettingsPage {
  readonly page: RepositorySettingsPage;
  /** What follows the path, of a page that the menu does not list. */
  readonly sub?: string;
  readonly needs?: readonly Requirement[];
  readonly show: (visit: RepositoryVisit, context: Context, problem?: Problem) => Promise<Html>;
  /** By what follows the path of the page; what they return is where they lead, from the root, unless it is the page itself. */
  readonly forms: Readonly<Record<string, SettingsForm>>;
  readonly maxBytes?: number;
}

interface SettingsForm {
  readonly needs?: readonly Requirement[];
  readonly send: (visit: RepositoryVisit, context: Context) => Promise<unknown>;
}

/** The routes of a page of settings. What a rule refuses is shown in the page, with what was typed. */
export function repositorySettingsPage({ page, sub, needs = [repositoryAdmin], show, forms, maxBytes }: SettingsPage): AnyRoute[] {
  const common = { needs: [signedIn, ...needs], ...(maxBytes !== undefined && { maxBytes: () => maxBytes }) };
  const path = `/:owner/:repo/${PATHS[page]}${sub === undefined ? '' : `/${sub}`}`;
  const shown = async (visit: RepositoryVisit, context: Context, problem?: Problem) =>
    repositorySettingsDocument(visit, context, { page, body: await show(visit, context, problem), status: problem ? 422 : 200 });
  return [
    ...repositoryPage({ ...common, path, get: (visit, context) => shown(visit, context) }),
    ...Object.entries(forms).flatMap(([form, { needs: postNeeds = [], send }]) =>
      repositoryPage({
        ...common,
        path: form === '' ? path : `${path}/${form}`,
        postNeeds,
        post: async (visit, context) => {
          try {
            const target = await send(visit, context);
            return seeOther(context, typeof target === 'string' ? target : settingsAddress(visit.repository, page));
          } catch (error) {
            if (!(error instanceof HttpError) || error.status >= 500) throw error;
            return shown(visit, context, { form, error });
          }
        },
      }),
    ),
  ];
}

/** The address of a page of settings, from the root of the instance. */
export function settingsAddress({ owner, name }: Pick<Repository, 'name' | 'owner'>, page: RepositorySettingsPage): string {
  return `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}/${PATHS[page]}`;
}

/** The path of a form of a page of settings. */
export function formPath({ view, repository }: RepositoryVisit, page: RepositorySettingsPage, form = ''): string {
  return repositoryPath(view, repository, form === '' ? PATHS[page] : `${PATHS[page]}/${form}`);
}

/** What went wrong with this form. */
export function failed(problem: Problem | undefined, form: string): Html | false {
  return problem?.form === form && fault(problem.error.message);
}

/** A page of settings, beside the menu of all of them. */
function repositorySettingsDocument(
  visit: RepositoryVisit,
  context: Context,
  { page: current, body, status }: { page: RepositorySettingsPage; body: Html; status: number },
): Promise<Document> {
  const { view } = visit;
  const { text } = view;
  const title = text.manage.pages[current];
  const isOwner = visit.access.isOwner || context.actor?.is_admin;
  const shown = (Object.keys(PATHS) as RepositorySettingsPage[]).filter((page) => {
    if (page === 'hooks') return context.settings.webhooks.enabled;
    return isOwner || !(page === 'secrets' || page === 'variables');
  });
  return repositoryDocument(visit, context, {
    tab: 'settings',
    title,
    status,
    body: html`<div class="with-menu"><nav class="side-menu" aria-label="${text.common.settings}">${shown.map(
      (page) => html`<a href="${formPath(visit, page)}"${page === current && html` aria-current="page"`}>${text.manage.pages[page]}</a>`,
    )}</nav><div class="settings"><h2>${title}</h2>${body}</div></div>`,
  });
}
