import { oauth2On } from '../../access/requirements.ts';
import {
  type ApplicationOwner,
  applicationOf,
  createApplication,
  deleteApplication,
  editApplication,
  listApplications,
  type NewApplication,
  renewSecret,
} from '../../accounts/oauth2/applications.ts';
import { isDefaultApplication } from '../../accounts/oauth2/default-applications.ts';
import { CreateOAuth2ApplicationOptions } from '../../accounts/oauth2/schema.ts';
import type { Context } from '../../context.ts';
import type { OAuth2Application } from '../../database/tables/oauth2.ts';
import { bindValue } from '../../http/bodies/body.ts';
import { notFound } from '../../http/errors.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute, Requirement } from '../../http/route.ts';
import { copyField } from '../code/clone-box.ts';
import { fault } from '../components/fault.ts';
import { actionButton, checkBox, field, postForm, textArea } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { notice, type Visit } from '../page.ts';
import { failed, type Problem, type Section, type SectionForm } from './section.ts';

/** The list may share a page with others. */
const PAGE_PARAMETER = 'applications';

/** The values of an application's form. */
interface Shown {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly isConfidential: boolean;
  readonly skipsConsent: boolean;
}

/** The owner of a section's applications, and the check before each request. */
export interface ApplicationPlace<V extends Visit> {
  readonly needs: readonly Requirement[];
  readonly ownerOf: (visit: V) => ApplicationOwner;
}

/** The applications of an owner that let people sign in with this instance: the list, and a page for each. */
export function applicationPages<V extends Visit>(section: Section<V>, place: ApplicationPlace<V>): readonly AnyRoute[] {
  const needs = [...place.needs, oauth2On];
  return [
    ...section.pages({
      needs,
      show: (visit, context, problem) => applicationList(section, place, visit, context, problem),
      forms: applicationForms(section, place),
    }),
    ...singleApplicationPages(section, place),
  ];
}

/** The form of the list. */
export function applicationForms<V extends Visit>(section: Section<V>, { ownerOf }: ApplicationPlace<V>): Record<string, SectionForm<V>> {
  return {
    oauth2: {
      needs: [oauth2On],
      isOneTransaction: true,
      send: async (visit, context) => shownSecret(section, visit, await createApplication(context, ownerOf(visit), typed(visit))),
    },
  };
}

/** The page of each application. */
export function singleApplicationPages<V extends Visit>(section: Section<V>, { needs, ownerOf }: ApplicationPlace<V>): readonly AnyRoute[] {
  const idOf = ({ params }: V) => pathId(params.id ?? '');
  return section.pages({
    sub: 'oauth2/:id(^[0-9]+$)',
    needs: [...needs, oauth2On],
    show: (visit, context, problem) => one(section, visit, context, ownerOf(visit), problem),
    forms: {
      '': {
        isOneTransaction: true,
        send: async (visit, context) => {
          await editApplication(context, ownerOf(visit), idOf(visit), typed(visit));
        },
      },
      regenerate_secret: {
        isOneTransaction: true,
        send: async (visit, context) => shownSecret(section, visit, await renewSecret(context, ownerOf(visit), idOf(visit))),
      },
      delete: { send: (visit, context) => deleteApplication(context, ownerOf(visit), idOf(visit)) },
    },
  });
}

/** Parses the form. @throws HttpError 422 for an invalid application */
function typed({ fields }: Visit): Shown {
  const {
    name,
    redirect_uris: redirectUris,
    ...options
  } = bindValue(CreateOAuth2ApplicationOptions, {
    name: fields.get('name')?.trim() ?? '',
    redirect_uris: addresses(fields.get('redirect_uris')),
    confidential_client: fields.get('confidential_client') === 'on',
    skip_secondary_authorization: fields.get('skip_secondary_authorization') === 'on',
  });
  return {
    name,
    redirectUris: redirectUris ?? [],
    isConfidential: options.confidential_client ?? false,
    skipsConsent: options.skip_secondary_authorization ?? false,
  };
}

function addresses(text = ''): string[] {
  return text.split(/\s+/).filter((line) => line !== '');
}

/** The applications of the owner, and the form for a new one. */
export async function applicationList<V extends Visit>(
  section: Section<V>,
  { ownerOf }: ApplicationPlace<V>,
  visit: V,
  context: Context,
  problem?: Problem,
): Promise<Html> {
  const { view } = visit;
  const text = view.text.owners;
  const page = requestedPage(visit, context.settings, PAGE_PARAMETER);
  const { applications, total } = await listApplications(context, ownerOf(visit), page);
  const name = (application: OAuth2Application) =>
    isDefaultApplication(application.client_id)
      ? html`<strong>${application.name}</strong> <span class="badge" title="${text.builtInHint}">${text.builtIn}</span>`
      : html`<a href="${section.href(visit, `oauth2/${application.id}`)}"><strong>${application.name}</strong></a>`;
  const rows = html`<ul class="rows box">${applications.map(
    (application) => html`<li><div>${name(application)} <code>${application.client_id}</code></div>
<span class="push muted">${timeAgo(view, application.created_at)}</span></li>`,
  )}</ul>`;
  const fresh: Shown = { name: '', redirectUris: [], isConfidential: true, skipsConsent: false };
  const form = html`${fieldsOf(visit, fresh, problem?.form === 'oauth2' ? problem : undefined)}<button class="primary">${text.addApplication}</button>`;
  return html`<p>${text.applicationsHint}</p>
${listOrEmpty(visit, { ...page, parameter: PAGE_PARAMETER }, { total, rows, empty: text.noApplications })}
<details${problem?.form === 'oauth2' && html` open`}><summary>${text.addApplication}</summary>${failed(view, problem, 'oauth2')}
${postForm(view, form, { action: section.href(visit, 'oauth2') })}</details>`;
}

function fieldsOf({ view, fields }: Visit, stored: Shown, problem?: Problem): Html {
  const text = view.text.owners;
  const shown: Shown = problem
    ? {
        name: fields.get('name') ?? '',
        redirectUris: addresses(fields.get('redirect_uris')),
        isConfidential: fields.get('confidential_client') === 'on',
        skipsConsent: fields.get('skip_secondary_authorization') === 'on',
      }
    : stored;
  return html`${field({ name: 'name', label: text.applicationName, value: shown.name, isRequired: true, maxLength: 255, autocomplete: 'off' })}
${textArea({ name: 'redirect_uris', label: text.redirectUris, value: shown.redirectUris.join('\n'), isRequired: true, rows: 3, hint: text.redirectUrisHint })}
${checkBox({ name: 'confidential_client', label: text.confidential, hint: text.confidentialHint, isChecked: shown.isConfidential })}
${checkBox({ name: 'skip_secondary_authorization', label: text.skipsConsent, isChecked: shown.skipsConsent })}`;
}

async function one<V extends Visit>(
  section: Section<V>,
  visit: V,
  context: Context,
  owner: ApplicationOwner,
  problem?: Problem,
): Promise<Html> {
  const { view } = visit;
  const text = view.text.owners;
  const application = await applicationOf(context, owner, pathId(visit.params.id ?? ''));
  const own = section.href(visit, `oauth2/${application.id}`);
  if (isDefaultApplication(application.client_id)) throw notFound();
  const stored = {
    name: application.name,
    redirectUris: application.redirect_uris,
    isConfidential: application.is_confidential,
    skipsConsent: application.skips_consent,
  };
  const save = html`${fieldsOf(visit, stored, problem)}<button class="primary">${view.text.common.save}</button>`;
  return html`${section.heading(application.name)}${problem && fault(view, problem.error.message)}
${copyField(view, text.clientId, application.client_id)}${postForm(view, save, { action: own })}
<div class="buttons">${actionButton(view, { action: `${own}/regenerate_secret`, label: text.renewSecret })}
${actionButton(view, { action: `${own}/delete`, label: text.deleteApplication, className: 'danger' })}</div>`;
}

function shownSecret<V extends Visit>(section: Section<V>, visit: V, { application, secret }: NewApplication): Html {
  const text = visit.view.text.owners;
  return html`${section.heading(application.name)}${notice(text.secretOnce)}${copyField(visit.view, text.clientId, application.client_id)}
${copyField(visit.view, text.clientSecret, secret)}<p><a class="button" href="${section.href(visit)}">${text.backToApplications}</a></p>`;
}
