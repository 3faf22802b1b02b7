import {
  applicationOf,
  createApplication,
  deleteApplication,
  editApplication,
  listApplications,
  type NewApplication,
  renewSecret,
} from '../../accounts/oauth2/applications.ts';
import { CreateOAuth2ApplicationOptions } from '../../accounts/oauth2/schema.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { bindValue } from '../../http/body.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute } from '../../http/route.ts';
import { copyField } from '../code/clone-box.ts';
import { actionButton, checkBox, field, postForm, textArea } from '../components/form.ts';
import { listOrEmpty, requestedPage } from '../components/list-page.ts';
import { timeAgo } from '../components/numbers.ts';
import { type Html, html } from '../html.ts';
import { fault, notice, type Visit } from '../page.ts';
import { failed, type Problem, type Section } from './section.ts';

/** What a form shows of an application. */
interface Shown {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly isConfidential: boolean;
  readonly skipsConsent: boolean;
}

/** The applications of a user or an organization that let people sign in with this instance. */
export function applicationPages<V extends Visit>(section: Section<V>, ownerOf: (visit: V) => User): readonly AnyRoute[] {
  const idOf = ({ params }: V) => pathId(params.id ?? '');
  return [
    ...section.pages({
      show: (visit, context, problem) => list(section, visit, context, ownerOf(visit), problem),
      forms: {
        oauth2: {
          isOneTransaction: true,
          send: async (visit, context) => shownSecret(section, visit, await createApplication(context, ownerOf(visit), typed(visit))),
        },
      },
    }),
    ...section.pages({
      sub: 'oauth2/:id(^[0-9]+$)',
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
    }),
  ];
}

/** What a form says. @throws HttpError 422 for what no application can be registered with */
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

async function list<V extends Visit>(section: Section<V>, visit: V, context: Context, owner: User, problem?: Problem): Promise<Html> {
  const { view } = visit;
  const text = view.text.owners;
  const page = requestedPage(visit, context.settings);
  const { applications, total } = await listApplications(context, owner, page);
  const rows = html`<ul class="rows box">${applications.map(
    ({
      id,
      name,
      client_id: clientId,
      created_at: created,
    }) => html`<li><div><a href="${section.href(visit, `oauth2/${id}`)}"><strong>${name}</strong></a> <code>${clientId}</code></div>
<span class="push muted">${timeAgo(view, created)}</span></li>`,
  )}</ul>`;
  const fresh: Shown = { name: '', redirectUris: [], isConfidential: true, skipsConsent: false };
  const form = html`${fieldsOf(visit, fresh, problem)}<button class="primary">${text.addApplication}</button>`;
  return html`<p>${text.applicationsHint}</p>${listOrEmpty(visit, page, { total, rows, empty: text.noApplications })}
${section.heading(text.addApplication)}${failed(problem, 'oauth2')}${postForm(view, form, { action: section.href(visit, 'oauth2') })}`;
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

async function one<V extends Visit>(section: Section<V>, visit: V, context: Context, owner: User, problem?: Problem): Promise<Html> {
  const { view } = visit;
  const text = view.text.owners;
  const application = await applicationOf(context, owner, pathId(visit.params.id ?? ''));
  const own = section.href(visit, `oauth2/${application.id}`);
  const stored = {
    name: application.name,
    redirectUris: application.redirect_uris,
    isConfidential: application.is_confidential,
    skipsConsent: application.skips_consent,
  };
  const save = html`${fieldsOf(visit, stored, problem)}<button class="primary">${view.text.common.save}</button>`;
  return html`${section.heading(application.name)}${problem && fault(problem.error.message)}
${copyField(view, text.clientId, application.client_id)}${postForm(view, save, { action: own })}
<div class="buttons">${actionButton(view, { action: `${own}/regenerate_secret`, label: text.renewSecret })}
${actionButton(view, { action: `${own}/delete`, label: text.deleteApplication, className: 'danger' })}</div>`;
}

function shownSecret<V extends Visit>(section: Section<V>, visit: V, { application, secret }: NewApplication): Html {
  const text = visit.view.text.owners;
  return html`${section.heading(application.name)}${notice(text.secretOnce)}${copyField(visit.view, text.clientId, application.client_id)}
${copyField(visit.view, text.clientSecret, secret)}<p><a class="button" href="${section.href(visit)}">${text.backToApplications}</a></p>`;
}
