import { FIRST_ACCOUNT_PAGE, HOW_TO_BEGIN, hasAccounts } from '../accounts/first-account.ts';
import type { Context } from '../context.ts';
import type { AnyRoute } from '../http/route.ts';
import { dashboard } from './home/dashboard.ts';
import { type Html, html } from './html.ts';
import { dutyOf, notice, openPage, pagePath, type Reply, seeOther, type Visit } from './page.ts';

/** The page at the root URL: what this instance is, and the ways on. */
export const frontPages: readonly AnyRoute[] = openPage({ path: '/', get: front });

async function front(visit: Visit, context: Context): Promise<Reply> {
  const { user } = visit.visitor;
  const duty = user && (await dutyOf(context, user));
  if (duty) return seeOther(context, duty);
  if (user) return dashboard(visit, { ...context, actor: user }, user);
  const { instance, access } = context.settings;
  const isHidden = access.requireSignInView;
  const isNew = !(await hasAccounts(context.db));
  return {
    title: instance.name,
    body: html`${!isHidden && instance.description && html`<p>${instance.description}</p>`}
${isNew && html`${notice(HOW_TO_BEGIN)}<p><a class="button primary" href="${pagePath(context, FIRST_ACCOUNT_PAGE)}">${visit.view.text.firstRun.title}</a></p>`}
${waysIn(context)}
${!isHidden && documentation(context)}`,
  };
}

function waysIn(context: Context): Html {
  const { registration, access } = context.settings;
  const isOffered = registration.enabled && !access.requireSignInView;
  return html`<p><a href="${pagePath(context, 'user/login')}">Sign in</a>
${isOffered && html`<a href="${pagePath(context, 'user/sign_up')}">Make an account</a>`}</p>`;
}

function documentation(context: Context): Html {
  return html`<h2>API</h2>
<ul>
${context.settings.api.docsEnabled && html`<li><a href="${pagePath(context, 'api/swagger')}">Documentation of the API</a></li>`}
<li><a href="${pagePath(context, 'swagger.v1.json')}">Its description for programs</a> (OpenAPI 2.0)</li>
</ul>`;
}
