import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { PushMirrorRow } from '../../database/tables/mirrors.ts';
import { badRequest, forbidden, unauthorized } from '../../http/errors.ts';
import { parseRemoteUrl, RemoteUrlError, requireUsable } from '../../http/outgoing/remote-url.ts';
import type { Shape } from '../../http/schema.ts';
import { readMirrorInterval } from '../../repositories/mirror-interval.ts';
import { givenCredentials } from '../credentials.ts';
import type { CreatePushMirrorOption } from '../schema.ts';
import { addPushMirror, type NewPushMirror } from './push-mirrors.ts';

/**
 * Adds a push mirror as a request describes it. It does not push yet.
 * @throws HttpError 400 for an address or interval that is none, and for too many mirrors; 401 for a host that is not allowed; 403 where
 * nobody may add any
 */
export async function createPushMirror(
  context: Context,
  repository: Repository,
  body: Shape<typeof CreatePushMirrorOption>,
): Promise<PushMirrorRow> {
  if (!context.settings.mirrors.newPushMirrors) throw forbidden('the site administrator has disabled the creation of new push mirrors');
  return withKnownErrors(async () => addPushMirror(context, repository, readPushMirror(context, body)));
}

/** @throws HttpError 400, RemoteUrlError */
function readPushMirror({ settings }: Context, body: Shape<typeof CreatePushMirrorOption>): NewPushMirror {
  const interval = readMirrorInterval(settings, body.interval ?? '', badRequest);
  const target = parseRemoteUrl(body.remote_address ?? '');
  const credentials = givenCredentials(target.credentials, { username: body.remote_username, password: body.remote_password });
  if (credentials) requireUsable(credentials);
  return { target, credentials, interval, syncOnCommit: body.sync_on_commit ?? false };
}

/** Converts refused URLs to the errors that clients expect. */
async function withKnownErrors<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof RemoteUrlError)) throw error;
    if (error.fault === 'protocol') throw badRequest('Invalid mirror protocol');
    if (error.fault === 'url') throw badRequest('Invalid Url ');
    throw unauthorized('Permission denied');
  }
}
