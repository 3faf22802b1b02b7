import { FIRST_ACCOUNT_COMMAND, FIRST_ACCOUNT_PAGE, hasAccounts } from '../accounts/first-account.ts';
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
  const { front: text, firstRun } = visit.view.text;
  return {
    title: instance.name,
    body: html`${!isHidden && instance.description && html`<p>${instance.description}</p>`}
${isNew && html`${notice(text.begin(FIRST_ACCOUNT_COMMAND))}<p><a class="button primary" href="${pagePath(context, FIRST_ACCOUNT_PAGE)}">${firstRun.title}</a></p>`}
${waysIn(visit, context)}
${!isHidden && documentation(visit, context)}`,
  };
}

function waysIn({ view }: Visit, context: Context): Html {
  const { account: text } = view.text;
  const { registration, access } = context.settings;
  const isOffered = registration.enabled && !access.requireSignInView;
  return html`<p><a href="${pagePath(context, 'user/login')}">${text.signIn}</a>
${isOffered && html`<a href="${pagePath(context, 'user/sign_up')}">${text.register}</a>`}</p>`;
}

function documentation({ view }: Visit, context: Context): Html {
  const { front: text } = view.text;
  return html`<h2>${text.api}</h2>
<ul class="spaced">
${context.settings.api.docsEnabled && html`<li><a href="${pagePath(context, 'api/swagger')}">${text.documentation}</a></li>`}
<li><a href="${pagePath(context, 'swagger.v1.json')}">${text.description}</a> (OpenAPI 2.0)</li>
</ul>`;
}
