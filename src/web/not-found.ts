import type { NotFoundPage } from '../http/not-found.ts';
import { documentResponse } from './document.ts';
import { html } from './html.ts';

/** The page for a URL at which nothing is, or nothing that the caller may see: it does not say which. */
export const notFoundPage: NotFoundPage = (services) =>
  documentResponse(services, {
    title: 'Not found',
    status: 404,
    body: html`<p>There is no page at this address, or you may not see it.</p>
<p><a href="${new URL(services.settings.server.rootUrl).pathname}">To the front page</a></p>`,
  });
