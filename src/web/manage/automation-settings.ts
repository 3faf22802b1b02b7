import { DEFAULT_TOKEN_SETTINGS } from '../../access/job-levels.ts';
import { listSharedRepositories, shareRepository, unshareRepository } from '../../actions/settings/shared-repositories.ts';
import { findTokenSettings, readTokenSettings, setTokenSettings } from '../../actions/settings/token-settings.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { pathId } from '../../http/path-id.ts';
import type { AnyRoute, Requirement } from '../../http/route.ts';
import { actionButton, field, postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { path } from '../view.ts';
import { tokenFields } from './job-tokens.ts';
import { failed, type Problem, type Section } from './section.ts';

/** The permissions of jobs in all repositories of an owner: of their tokens, and in other repositories of that owner. */
export function automationSettingsPages<V extends Visit>(
  section: Section<V>,
  { needs, ownerOf }: { needs: readonly Requirement[]; ownerOf: (visit: V) => User },
): readonly AnyRoute[] {
  return section.pages({
    needs,
    show: (visit, context, problem) => show(section, visit, context, ownerOf(visit), problem),
    forms: {
      '': {
        isOneTransaction: true,
        send: (visit, context) => setTokenSettings(context, { ownerId: ownerOf(visit).id }, readTokenSettings(visit.fields)),
      },
      'repositories/add': {
        send: (visit, context) => shareRepository(context, ownerOf(visit), visit.fields.get('repository') ?? ''),
      },
      'repositories/remove': {
        send: (visit, context) => unshareRepository(context, ownerOf(visit), pathId(visit.fields.get('id') ?? '')),
      },
    },
  });
}

async function show<V extends Visit>(
  section: Section<V>,
  visit: V,
  context: Context,
  owner: User,
  problem: Problem | undefined,
): Promise<Html> {
  const { view } = visit;
  const { jobTokens: text } = view.text;
  const settings = (await findTokenSettings(context, { ownerId: owner.id })) ?? DEFAULT_TOKEN_SETTINGS;
  return html`${section.heading(text.title)}<p>${text.ownerHint}</p>${failed(view, problem, '')}
${postForm(view, tokenFields(visit, settings, problem?.form === '' ? problem : undefined), { action: section.href(visit) })}
${section.heading(text.shared)}<p>${text.sharedHint}</p>${await sharedList(section, visit, context, owner)}
${failed(view, problem, 'repositories/add')}${failed(view, problem, 'repositories/remove')}${shareForm(section, visit, problem)}`;
}

async function sharedList<V extends Visit>(section: Section<V>, visit: V, context: Context, owner: User): Promise<Html> {
  const { view } = visit;
  const { jobTokens: text, manage } = view.text;
  const repositories = await listSharedRepositories(context, owner.id);
  if (repositories.length === 0) return html`<p class="empty">${text.noShared}</p>`;
  const remove = (id: number) =>
    actionButton(view, {
      action: section.href(visit, 'repositories/remove'),
      label: manage.removeShort,
      fields: { id },
      className: 'danger',
    });
  return html`<ul class="rows box">${repositories.map(
    ({
      id,
      name,
    }) => html`<li><a href="${path(view, `${encodeURIComponent(owner.name)}/${encodeURIComponent(name)}`)}"><strong>${owner.name}/${name}</strong></a>
<span class="push">${remove(id)}</span></li>`,
  )}</ul>`;
}

function shareForm<V extends Visit>(section: Section<V>, visit: V, problem: Problem | undefined): Html {
  const { view, fields } = visit;
  const { jobTokens: text } = view.text;
  const value = problem?.form === 'repositories/add' ? fields.get('repository') : '';
  return postForm(
    view,
    html`${field({ name: 'repository', label: text.repository, value, isRequired: true, maxLength: 255, autocomplete: 'off' })}<button>${text.share}</button>`,
    { action: section.href(visit, 'repositories/add') },
  );
}
