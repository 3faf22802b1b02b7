import type { Context } from '../context.ts';
import { HttpError, MovedError } from '../http/errors.ts';
import { errorResponse, type HttpResponse } from '../http/responses.ts';
import type { RequestParts } from '../http/route.ts';
import { loggableUrl } from '../log.ts';
import { fault } from './components/fault.ts';
import type { Document } from './document.ts';
import { html } from './html.ts';
import { path, type View } from './view.ts';

/** The page for an error. Undefined for others, such as a redirect or a client that closed the connection. */
export function failurePage(view: View, error: unknown, context: Context, request: RequestParts): Document | undefined {
  if (error instanceof MovedError || request.signal.aborted) return undefined;
  if (error instanceof HttpError)
    return error.status === 404 ? notFoundDocument(view) : refusal(view, error.status, error.message, error.headers);
  const known = errorResponse(error, '', request.method);
  if (known) return refusal(view, known.status ?? 500, messageOf(known), known.headers);
  const { requestId, log } = context;
  log.error({ requestId, method: request.method, url: loggableUrl(request.url), err: error }, 'a request failed');
  const { serverError, serverErrorReason } = view.text.common;
  return {
    title: serverError,
    status: 500,
    body: html`<p>${serverErrorReason(requestId)}</p><p><a href="${path(view, '')}">${view.text.common.toFront}</a></p>`,
  };
}

/** The page for a URL without a page, or with one that the caller may not see: it does not show which. */
export function notFoundDocument(view: View): Document {
  const { notFound, notFoundReason, toFront, signIn } = view.text.common;
  const back = view.here === '' ? '' : `?redirect_to=${encodeURIComponent(view.here)}`;
  return {
    title: notFound,
    status: 404,
    body: html`<p>${notFoundReason}</p>
<p><a href="${path(view, '')}">${toFront}</a> ${!view.user && html`<a href="${path(view, `user/login${back}`)}">${signIn}</a>`}</p>`,
  };
}

function refusal(view: View, status: number, message: string, headers: Readonly<Record<string, string>>): Document {
  const body = html`${fault(view, message)}
<p><a href="${path(view, '')}">${view.text.common.toFront}</a></p>`;
  return { title: view.text.common.failed, status, headers: { ...headers }, body };
}

function messageOf({ body }: HttpResponse): string {
  return typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : '';
}
