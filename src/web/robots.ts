import { open } from 'node:fs/promises';
import { text } from '../http/responses.ts';
import { type AnyRoute, route } from '../http/route.ts';
import type { Settings } from '../settings.ts';

const MAX_BYTES = 64 * 1024;
/** Paths that are expensive, and only repeat other pages. */
const EXPENSIVE = [
  'api/',
  'user/',
  '-/',
  '*/*/archive/',
  '*/*/blame/',
  '*/*/commits/',
  '*/*/compare/',
  '*/*/graph',
  '*/*/raw/commit/',
  '*/*/search',
  '*/*/src/commit/',
  '*.diff$',
  '*.patch$',
  '*?*sort=',
  '*?*q=',
];

/** The rules for crawlers (RFC 9309). If the configured file cannot be read, the status is 500, which keeps crawlers away. */
export const robotsRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//robots.txt',
    id: 'robots',
    summary: 'Tells crawlers which pages to visit',
    hidden: true,
    open: true,
    responses: { 200: null },
    handle: async (_, { settings }) => {
      const { robotsFile } = settings.ui;
      const response = text(robotsFile === null ? defaultRules(settings) : await beginningOf(robotsFile));
      response.headers['cache-control'] = 'public, max-age=3600';
      return response;
    },
  }),
];

function defaultRules({ access, server: { rootUrl } }: Settings): string {
  const { pathname } = new URL(rootUrl);
  if (access.requireSignInView) return `User-agent: *\nDisallow: ${pathname}\n`;
  const map = access.requireSignInExplore ? '' : `\nSitemap: ${rootUrl}sitemap.xml\n`;
  return `User-agent: *\n${EXPENSIVE.map((rule) => `Disallow: ${pathname}${rule}\n`).join('')}${map}`;
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
