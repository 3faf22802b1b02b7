import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import { acceptInvitation, findInvitation } from '../../organizations/invitations/invitations.ts';
import { postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { openPage, seeOther, userPage, type Visit } from '../page.ts';
import { path } from '../view.ts';
import { organizationPagePath } from './frame.ts';

const PATH = '/org/invite/:invitation(^[0-9A-Za-z_-]{20,64}$)';

/** The page of a link of an invitation to a team. A GET request changes nothing: programs also open links in mails. */
export const invitationPages: readonly AnyRoute[] = [
  ...openPage({ path: PATH, get: show }),
  ...userPage({
    path: PATH,
    post: async ({ params, user }, context) => {
      const token = params.invitation ?? '';
      const { organization, team } = await findInvitation(context, token);
      context.act?.found({ params, organization, team });
      await acceptInvitation(context, token, user);
      return seeOther(context, organizationPagePath(organization, `teams/${encodeURIComponent(team.lower_name)}`));
    },
  }),
];

async function show({ view, visitor, params }: Visit, context: Context): Promise<Document> {
  const { organization, team, inviter } = await findInvitation(context, params.invitation ?? '');
  const { invitations: text, account } = view.text;
  const back = new URLSearchParams({ redirect_to: view.here }).toString();
  const join = postForm(view, html`<button class="primary">${text.join}</button>`);
  const enter = html`<p>${text.signInFirst}</p><p class="buttons"><a class="button primary" href="${path(view, `user/login?${back}`)}">${account.signIn}</a>
${context.settings.registration.enabled && html`<a class="button" href="${path(view, `user/sign_up?${back}`)}">${account.register}</a>`}</p>`;
  return {
    title: text.title(organization.full_name || organization.name),
    body: html`<p>${text.invites(inviter.name, team.name, organization.name)}</p>
${visitor.user ? html`<p>${account.signedInAs(visitor.user.name)}</p>${join}` : enter}`,
  };
}
