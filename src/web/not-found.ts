import { anonymousContext } from '../context.ts';
import type { NotFoundPage } from '../http/server/not-found.ts';
import { documentResponse } from './document-response.ts';
import { notFoundDocument } from './failure.ts';
import { Html } from './html.ts';
import { anonymousView, viewOf } from './view.ts';
import { visitorOfSession } from './visitor.ts';

/** Nothing of the page is a form. */
const NO_FORMS = new Html('');

/** The page for unknown paths, whatever route it came from, with the frame of every page. */
export const notFoundPage: NotFoundPage = async (services, headers) => {
  const visitor = await visitorOfSession(anonymousContext(services, ''), headers);
  const acceptLanguage = headers['accept-language'];
  const view = visitor
    ? viewOf(services.settings, { user: visitor.user, acceptLanguage, token: NO_FORMS, here: '' })
    : anonymousView(services.settings);
  return documentResponse(services, notFoundDocument(view), view);
};
