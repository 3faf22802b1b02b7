import { notFound } from '../http/errors.ts';
import { raw } from '../http/responses.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { escapeHtml } from '../text/escape-html.ts';

/** Lets browsers search the repositories of the instance from their address bar (https://github.com/dewitt/opensearch). */
export const openSearchRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//opensearch.xml',
    id: 'openSearch',
    summary: 'Describes the search for browsers',
    hidden: true,
    open: true,
    responses: { 200: null },
    handle: async (_, { settings }) => {
      if (settings.access.requireSignInView) throw notFound();
      const { rootUrl } = settings.server;
      const { name } = settings.instance;
      const text = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeHtml(name.slice(0, 16))}</ShortName>
<LongName>${escapeHtml(name.slice(0, 48))}</LongName>
<Description>${escapeHtml(name)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image type="image/svg+xml">${escapeHtml(`${rootUrl}favicon.ico`)}</Image>
<Url type="text/html" template="${escapeHtml(`${rootUrl}explore/repos?q=`)}{searchTerms}"/>
</OpenSearchDescription>
`;
      return raw(text, 'application/opensearchdescription+xml', { headers: { 'cache-control': 'public, max-age=86400' } });
    },
  }),
];
