import type { Context } from '../../context.ts';
import type { AnyRoute } from '../../http/route.ts';
import type { Settings } from '../../settings.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { path } from '../view.ts';
import { adminSection } from './area.ts';
import { ADMIN_PATHS, table } from './frame.ts';

/** A way to sign in, whether it is enabled, and its settings; no settings if it is always enabled. */
interface Way {
  readonly isOpen: (settings: Settings) => boolean;
  readonly settings: readonly string[];
}

const WAYS = {
  password: { isOpen: () => true, settings: [] },
  passkey: { isOpen: ({ access }) => access.passkeySignIn, settings: ['access.passkeySignIn'] },
  token: { isOpen: () => true, settings: [] },
  basic: { isOpen: ({ access }) => access.basicAuthentication, settings: ['access.basicAuthentication'] },
  signature: { isOpen: ({ access }) => access.httpSignatures, settings: ['access.httpSignatures'] },
  query: { isOpen: ({ access }) => access.queryTokens, settings: ['access.queryTokens'] },
  proxy: {
    isOpen: ({ reverseProxy }) => reverseProxy.enabled,
    settings: ['reverseProxy.enabled', 'reverseProxy.userHeader', 'reverseProxy.register', 'server.trustedProxies'],
  },
  proxyApi: { isOpen: ({ reverseProxy }) => reverseProxy.apiEnabled, settings: ['reverseProxy.apiEnabled'] },
  registration: { isOpen: ({ registration }) => registration.enabled, settings: ['registration.enabled'] },
  twoFactor: { isOpen: ({ access }) => access.requireTwoFactor, settings: ['access.requireTwoFactor'] },
  provider: { isOpen: ({ oauth2 }) => oauth2.enabled, settings: ['oauth2.enabled'] },
} satisfies Record<string, Way>;

/** How people and programs sign in here. Gitea has its authentication sources at this URL. */
export const signInWayPages: readonly AnyRoute[] = adminSection('auths').pages({ show });

async function show({ view }: Visit, { settings }: Context): Promise<Html> {
  const { admin: text, owners } = view.text;
  const rows = Object.entries(WAYS).map(([name, way]: [string, Way]) => {
    const isOpen = way.isOpen(settings);
    const set = way.settings.map((setting) => html`<code>${setting}</code><br>`);
    return html`<tr><td>${text.ways[name as keyof typeof WAYS]}</td>
<td><span class="badge ${isOpen ? 'success' : ''}">${isOpen ? owners.yes : owners.no}</span></td><td>${set.length === 0 ? '–' : set}</td></tr>`;
  });
  return html`<p>${text.waysHint}</p><p><a href="${path(view, ADMIN_PATHS.configuration)}">${text.pages.configuration}</a></p>
${table(text.pages.auths, [text.way, text.isOpen, text.settingsOfWay], rows)}`;
}
