import { htmlUrl } from '../accounts/users/present.ts';
import { searchUsers } from '../accounts/users/search.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import type { Page } from '../http/paging.ts';
import { type HttpResponse, raw } from '../http/responses.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { searchRepositories } from '../repositories/search/search.ts';
import { repositoryHtmlUrl } from '../repositories/urls.ts';
import { escapeHtml } from '../text/escape-html.ts';

/** URLs of one map. */
const MAP_SIZE = 1000;
/** Maximum number of maps of one kind; crawlers find further pages by links. */
const MAX_MAPS = 1000;
const HEADERS = { 'cache-control': 'public, max-age=3600' };
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** A URL for crawlers, and when it changed. */
interface Entry {
  readonly url: string;
  readonly changedAt?: number;
}

type Part = (context: Context, page: Page) => Promise<{ entries: Entry[]; total: number }>;

/** The kinds of maps, by the path of the page that lists the same. */
const PARTS: Readonly<Record<'repos' | 'users', Part>> = {
  repos: async (context, page) => {
    const { repositories, total } = await searchRepositories(
      context,
      { includePrivate: false, order: { by: 'id', direction: 'asc' } },
      page,
    );
    return { entries: repositories.map((one) => ({ url: repositoryHtmlUrl(context.settings, one), changedAt: one.updated_at })), total };
  },
  users: async (context, page) => {
    const { users, total } = await searchUsers(context, { visibility: 'public', isActive: true }, page);
    return { entries: users.map((user) => ({ url: htmlUrl(context, user) })), total };
  },
};

const PART_NAMES = ['repos', 'users'] as const;

/** The pages of public repositories and people for crawlers (https://www.sitemaps.org/protocol.html): an index, and the maps that it names. */
export const sitemapRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//sitemap.xml',
    id: 'sitemap',
    summary: 'Lists the maps of public pages for crawlers',
    hidden: true,
    open: true,
    semaphore: 'searches',
    responses: { 200: null },
    handle: async (_, context) => {
      requireOpen(context);
      const urls: string[] = [];
      for (const name of PART_NAMES) {
        const { total } = await PARTS[name](context, { page: 1, limit: 1, offset: 0 });
        const maps = Math.min(Math.ceil(total / MAP_SIZE), MAX_MAPS);
        for (let map = 1; map <= maps; map++) urls.push(`${context.settings.server.rootUrl}explore/${name}/sitemap-${map}.xml`);
      }
      return document(
        'sitemapindex',
        urls.map((url) => `<sitemap><loc>${escapeHtml(url)}</loc></sitemap>`),
      );
    },
  }),
  ...PART_NAMES.map((name) =>
    route({
      method: 'GET',
      path: `//explore/${name}/:page(^sitemap-[0-9]+[.]xml$)`,
      id: `sitemapOf-${name}`,
      summary: 'Lists public pages for crawlers',
      hidden: true,
      open: true,
      semaphore: 'searches',
      responses: { 200: null },
      handle: async ({ params }, context) => {
        requireOpen(context);
        const map = Number(/\d+/.exec(params.page)?.[0]);
        if (!(map >= 1 && map <= MAX_MAPS)) throw notFound();
        const { entries } = await PARTS[name](context, { page: map, limit: MAP_SIZE, offset: (map - 1) * MAP_SIZE });
        if (entries.length === 0) throw notFound();
        return document('urlset', entries.map(entryText));
      },
    }),
  ),
];

/** @throws HttpError 404 if anonymous visitors may not explore */
function requireOpen({ settings: { access } }: Context): void {
  if (access.requireSignInView || access.requireSignInExplore) throw notFound();
}

function entryText({ url, changedAt }: Entry): string {
  const changed = changedAt === undefined ? '' : `<lastmod>${new Date(changedAt * 1000).toISOString()}</lastmod>`;
  return `<url><loc>${escapeHtml(url)}</loc>${changed}</url>`;
}

function document(root: 'sitemapindex' | 'urlset', items: readonly string[]): HttpResponse {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${NAMESPACE}>\n${items.map((item) => `${item}\n`).join('')}</${root}>\n`;
  return raw(text, 'application/xml; charset=utf-8', { headers: HEADERS });
}
