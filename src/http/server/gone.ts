import type { Context } from '../../context.ts';
import { HttpError } from '../errors.ts';
import { errorResponse } from '../responses.ts';
import type { AnyRoute } from '../route.ts';

/**
 * The error of a request that failed. Another process can delete what the path names while it is served, whose files are then missing in any
 * step: that is a 404 like for any later request.
 */
export async function unlessGone(
  { loads, method }: AnyRoute,
  context: Context,
  params: Readonly<Record<string, string>>,
  url: URL,
  error: unknown,
): Promise<unknown> {
  if (!loads || errorResponse(error, '', method)) return error;
  try {
    await loads(params, context, url);
  } catch (later) {
    if (later instanceof HttpError && later.status === 404) {
      context.log.info({ url: url.pathname, err: error }, 'a request failed because of what was deleted meanwhile');
      return later;
    }
  }
  return error;
}
