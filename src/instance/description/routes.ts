import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from '../../http/description/description.ts';
import { MovedError, notFound } from '../../http/errors.ts';
import { html, raw } from '../../http/responses.ts';
import { type AnyRoute, route } from '../../http/route.ts';

const UI_FOLDER = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));
/** The files of the page, by the only names that are served. */
const UI_FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Copse API</title>
  <link rel="stylesheet" href="swagger/swagger-ui.css">
</head>
<body>
  <div id="description"></div>
  <script src="swagger/swagger-ui-bundle.js"></script>
  <script src="swagger/start.js"></script>
</body>
</html>
`;
/** Requests go where the page came from: behind a proxy, the server may not know that as well as the browser does. */
const START = `fetch('../swagger.v1.json').then((response) => response.json()).then((spec) => {
  Object.assign(spec, { host: location.host, schemes: [location.protocol.slice(0, -1)] });
  SwaggerUIBundle({ spec, dom_id: '#description', deepLinking: true, docExpansion: 'none' });
});
`;

const SECURE_PAGE = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'",
};
const A_DAY = { 'cache-control': 'public, max-age=86400' };

/**
 * The API description and the page that shows it.
 * @param routes the described routes; called once, with the first request
 */
export function descriptionRoutes(routes: () => readonly AnyRoute[]): readonly AnyRoute[] {
  let document: string | undefined;
  return [
    route({
      method: 'GET',
      path: '//swagger.v1.json',
      id: 'getDescription',
      summary: 'Gets the API description',
      responses: { 200: null },
      handle: async (_, { settings }) => {
        document ??= JSON.stringify(describe(routes(), { version: settings.instance.apiVersion, rootUrl: settings.server.rootUrl }));
        return raw(document, 'application/json; charset=utf-8');
      },
    }),
    route({
      method: 'GET',
      path: '//api/swagger',
      id: 'showDescription',
      summary: 'Serves the page that shows the API description',
      responses: { 200: null },
      handle: async (_, { settings }) => {
        if (!settings.api.docsEnabled) throw notFound();
        const page = html(PAGE);
        Object.assign(page.headers, SECURE_PAGE);
        return page;
      },
    }),
    route({
      method: 'GET',
      path: '//api/swagger/:file',
      id: 'getDescriptionPagePart',
      summary: 'Serves a file of the page that shows the API description',
      responses: { 200: null },
      handle: async ({ params: { file } }, { settings }) => {
        const type = Object.hasOwn(UI_FILES, file) ? UI_FILES[file] : undefined;
        if (!settings.api.docsEnabled) throw notFound();
        if (file === 'start.js') return raw(START, 'text/javascript; charset=utf-8', { headers: A_DAY });
        if (!type) throw notFound();
        return raw(createReadStream(join(UI_FOLDER, file)), type, { headers: A_DAY });
      },
    }),
    route({
      method: 'GET',
      path: '/swagger',
      id: 'redirectToDescription',
      summary: 'Redirects to the page that shows the API description',
      hidden: true,
      responses: { 303: null },
      handle: async (_, { settings }) => {
        if (!settings.api.docsEnabled) throw notFound();
        throw new MovedError(new URL('api/swagger', settings.server.rootUrl).pathname, 303);
      },
    }),
  ];
}
