import { contentDisposition } from '../../http/content-disposition.ts';
import { raw } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { renewChefKey } from '../../packages/chef/keys.ts';
import { postForm } from '../components/form.ts';
import { type Html, html } from '../html.ts';
import { cleanupRulePages } from '../manage/cleanup-rules.ts';
import { userPage } from '../page.ts';
import { accountSection, type OwnVisit } from '../settings/area.ts';
import { path } from '../view.ts';
import { confirmRecently, recentlyField } from './confirm-password.ts';

const ROOT = 'user/settings/packages';
const RENEW = `${ROOT}/chef/regenerate_keypair`;

/** The rules that delete old versions of the user's packages, and the credentials of package managers other than tokens. */
export const packagePages: readonly AnyRoute[] = [
  ...cleanupRulePages(accountSection('packages'), { owner: ({ user }) => user, rest: chefKey }),
  ...userPage({
    path: `/${RENEW}`,
    when: ({ packages }) => packages.enabled,
    post: async (visit, context) => {
      const { user } = visit;
      // The key outlives the session, as a token does.
      await confirmRecently(visit, context);
      return raw(await renewChefKey(context, user), 'application/x-pem-file', {
        headers: {
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-disposition': contentDisposition('attachment', `${user.name}.priv`),
        },
      });
    },
  }),
];

function chefKey(visit: OwnVisit): Html {
  const { view } = visit;
  const { account: text } = view.text;
  const button = html`${recentlyField(visit)}<button>${text.chefRenew}</button>`;
  return html`<h2>${text.chefTitle}</h2><p>${text.chefKey}</p>${postForm(view, button, { action: path(view, RENEW) })}`;
}
