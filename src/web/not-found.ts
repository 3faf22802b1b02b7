import type { NotFoundPage } from '../http/not-found.ts';
import { documentResponse } from './document-response.ts';
import { notFoundDocument } from './failure.ts';
import { anonymousView } from './view.ts';

/** The page for what no page is at, whatever route it came from. */
export const notFoundPage: NotFoundPage = (services) => {
  const view = anonymousView(services.settings);
  return documentResponse(services, notFoundDocument(view), view);
};
