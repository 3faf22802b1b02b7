import type { Context } from '../../context.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { raw } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { renewChefKey } from '../../packages/chef/keys.ts';
import { postForm } from '../components/form.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { type SignedInVisit, userPage } from '../page.ts';
import { settingsDocument } from '../settings/frame.ts';
import { path } from '../view.ts';

const ROOT = 'user/settings/packages';
const RENEW = `${ROOT}/chef/regenerate_keypair`;

/** What package managers of the user sign in with, beside tokens. */
export const packagePages: readonly AnyRoute[] = [
  ...userPage({ path: `/${ROOT}`, when: ({ packages }) => packages.enabled, get: overview }),
  ...userPage({
    path: `/${RENEW}`,
    when: ({ packages }) => packages.enabled,
    post: async ({ user }, context) =>
      raw(await renewChefKey(context, user), 'application/x-pem-file', {
        headers: {
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-disposition': contentDisposition('attachment', `${user.name}.priv`),
        },
      }),
  }),
];

async function overview({ view }: SignedInVisit, context: Context): Promise<Document> {
  const { account: text } = view.text;
  const button = html`<button>${text.chefRenew}</button>`;
  return settingsDocument(view, context, {
    current: 'packages',
    body: html`<p>${text.chefKey}</p>${postForm(view, button, { action: path(view, RENEW) })}`,
  });
}
