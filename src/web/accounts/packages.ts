import type { Context } from '../../context.ts';
import { contentDisposition } from '../../http/content-disposition.ts';
import { raw } from '../../http/responses.ts';
import type { AnyRoute } from '../../http/route.ts';
import { renewChefKey } from '../../packages/chef/keys.ts';
import type { Document } from '../document.ts';
import { html } from '../html.ts';
import { pagePath, type SignedInVisit, userPage } from '../page.ts';
import { settingsDocument } from '../settings/frame.ts';

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

async function overview({ token, view }: SignedInVisit, context: Context): Promise<Document> {
  return settingsDocument(view, context, {
    current: 'packages',
    body: html`<p>Knife and other clients of Chef sign their requests with a key. A new key takes the place of the one before.</p>
<form method="post" action="${pagePath(context, RENEW)}">${token}<button>Make a new key and download it</button></form>`,
  });
}
