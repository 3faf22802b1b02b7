import { acceptedEncoding } from '../../http/accepted-encoding.ts';
import { notFound } from '../../http/errors.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { type AnyRoute, type RequestParts, route } from '../../http/route.ts';
import { type Asset, findAsset } from './assets.ts';
import { findModule } from './modules.ts';

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
};

const shared = { method: 'GET', hidden: true, open: true, responses: { 200: null } } as const;

/** The style sheet, icons and scripts of the pages, and the packages that scripts import. */
export const assetRoutes: readonly AnyRoute[] = [
  route({
    ...shared,
    path: '//assets/:hash/:name',
    id: 'asset',
    summary: 'Serves a file that pages load',
    handle: ({ params, request }) => serve(findAsset(params.hash, params.name), request),
  }),
  route({
    ...shared,
    path: '//assets/:hash/modules/*',
    id: 'assetModule',
    summary: 'Serves a module of a package that scripts of pages import',
    handle: async ({ params, request }) => serve(await findModule(params.hash, params['*']), request),
  }),
];

async function serve(asset: Asset | undefined, { headers }: RequestParts): Promise<HttpResponse> {
  if (!asset) throw notFound();
  const encoding = acceptedEncoding(headers['accept-encoding'], ['br', 'zstd']);
  if (encoding === undefined) return raw(asset.bytes, asset.type, { headers: HEADERS });
  return raw(await asset.encoded(encoding), asset.type, { headers: { ...HEADERS, 'content-encoding': encoding } });
}
