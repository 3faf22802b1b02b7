import { notFound } from '../../http/errors.ts';
import { raw } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';
import { acceptedEncoding } from '../compression.ts';
import { findAsset } from './assets.ts';

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  vary: 'Accept-Encoding',
};

/** The style sheet, icons and scripts of the pages. */
export const assetRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//assets/:hash/:name',
    id: 'asset',
    summary: 'Serves a file that pages load',
    hidden: true,
    open: true,
    responses: { 200: null },
    handle: async ({ params, request }) => {
      const asset = findAsset(params.hash, params.name);
      if (!asset) throw notFound();
      const encoding = acceptedEncoding(request.headers['accept-encoding'], ['br', 'zstd']);
      if (encoding === undefined) return raw(asset.bytes, asset.type, { headers: HEADERS });
      return raw(await asset.encoded(encoding), asset.type, { headers: { ...HEADERS, 'content-encoding': encoding } });
    },
  }),
];
