import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { raw } from '../http/responses.ts';
import { type AnyRoute, route } from '../http/route.ts';

/** Three trees of a copse. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#752" d="M7 24h2v6H7zm8-2h2v8h-2zm8 2h2v6h-2z"/>
<path fill="#396" d="M8 10l6 15H2zm16 0l6 15H18z"/>
<path fill="#2a7" d="M16 2l8 21H8z"/>
</svg>
`;

const HEADERS = { 'cache-control': 'public, max-age=604800', 'content-security-policy': "default-src 'none'; sandbox" };

const TOUCH_ICON = readFileSync(join(import.meta.dirname, 'assets/touch-icon.png'));

/** The icon of the pages, at the paths that browsers and phones request. */
export const iconRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//favicon.ico',
    id: 'icon',
    summary: 'Serves the icon of the pages',
    hidden: true,
    open: true,
    responses: { 200: null },
    handle: async () => raw(ICON, 'image/svg+xml', { headers: HEADERS }),
  }),
  ...(['apple-touch-icon', 'apple-touch-icon-precomposed'] as const).map((name) =>
    route({
      method: 'GET',
      path: `//${name}.png`,
      id: name,
      summary: 'Serves the icon of the pages for the screens of phones',
      hidden: true,
      open: true,
      responses: { 200: null },
      handle: async () => raw(TOUCH_ICON, 'image/png', { headers: HEADERS }),
    }),
  ),
];
