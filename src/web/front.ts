import { FIRST_ACCOUNT_COMMAND, FIRST_ACCOUNT_PAGE, hasAccounts } from '../accounts/first-account.ts';
import type { Context } from '../context.ts';
import type { AnyRoute } from '../http/route.ts';
import { searchRepositories } from '../repositories/search/search.ts';
import { repositoryRows } from './components/repository-rows.ts';
import { titleText } from './components/title.ts';
import { dashboard } from './home/dashboard.ts';
import { type Html, html } from './html.ts';
import { dutyOf, notice, openPage, pagePath, type Reply, seeOther, type Visit } from './page.ts';

/** Repositories that are shown. */
const RECENT = { page: 1, limit: 8, offset: 0 };

/** The page at the root URL: an introduction of this instance, and links. */
export const frontPages: readonly AnyRoute[] = openPage({ path: '/', get: front });

async function front(visit: Visit, context: Context): Promise<Reply> {
  const { user } = visit.visitor;
  const duty = user && (await dutyOf(context, user));
  if (duty) return seeOther(context, duty);
  if (user) return dashboard(visit, { ...context, actor: user }, user);
  const { instance, access } = context.settings;
  const isHidden = access.requireSignInView;
  const isNew = !(await hasAccounts(context.db));
  const { front: text, firstRun } = visit.view.text;
  const about = instance.description || text.about;
  return {
    title: instance.name,
    layout: 'page',
    ...(!isHidden && { summary: { description: about } }),
    body: html`<section class="welcome"><h1>${instance.name}</h1>${!isHidden && html`<p>${about}</p>`}
${isNew && html`${notice(titleText(text.begin(`\`${FIRST_ACCOUNT_COMMAND}\``)))}<p><a class="button primary" href="${pagePath(context, FIRST_ACCOUNT_PAGE)}">${firstRun.title}</a></p>`}
${waysIn(visit, context, isNew)}</section>
${!isHidden && html`${await recent(visit, context)}${documentation(visit, context)}`}`,
  };
}

function waysIn({ view }: Visit, context: Context, isNew: boolean): Html {
  const { account: text } = view.text;
  const { registration, access } = context.settings;
  const isOffered = registration.enabled && !access.requireSignInView && !isNew;
  return html`<p class="buttons">${isOffered && html`<a class="button primary" href="${pagePath(context, 'user/sign_up')}">${text.register}</a>`}
<a class="button" href="${pagePath(context, 'user/login')}">${text.signIn}</a></p>`;
}

/** The public repositories that changed last. */
async function recent({ view }: Visit, context: Context): Promise<Html> {
  const { front: text } = view.text;
  const order = { by: 'updated', direction: 'desc' } as const;
  const { repositories, total } = await searchRepositories(context, { keyword: '', includePrivate: false, order }, RECENT);
  const all = html`<p><a href="${pagePath(context, 'explore/repos')}">${text.allRepositories(total)}</a></p>`;
  return html`<section aria-labelledby="recent"><h2 id="recent">${text.recent}</h2>
${total === 0 ? html`<p class="empty">${text.nothingPublic}</p>` : html`${repositoryRows(view, repositories)}${total > RECENT.limit && all}`}</section>`;
}

function documentation({ view }: Visit, context: Context): Html {
  const { front: text } = view.text;
  return html`<section aria-labelledby="api"><h2 id="api">${text.api}</h2>
<ul class="spaced">
${context.settings.api.docsEnabled && html`<li><a href="${pagePath(context, 'api/swagger')}">${text.documentation}</a></li>`}
<li><a href="${pagePath(context, 'swagger.v1.json')}">${text.description}</a> (OpenAPI 2.0)</li>
</ul></section>`;
}
