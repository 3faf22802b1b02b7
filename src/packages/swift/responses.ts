import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import type { PackageCall } from '../protocol/format.ts';

/** The header that names the version of the API in each response. */
export const CONTENT_VERSION = { 'content-version': '1' };

/** A JSON document of the registry. */
export function json(body: unknown, headers: Record<string, string> = {}): HttpResponse {
  return raw(JSON.stringify(body), 'application/json; charset=utf-8', { headers: { ...CONTENT_VERSION, ...headers } });
}

/** The address of a package, with a slash at its end, as it was asked for. */
export function packageUrl({ context, owner, params }: PackageCall): string {
  return addressOf(context, owner, params.scope ?? '', params.name ?? '');
}

/** The same of a package by the name under which it is stored. */
export function urlOf(context: Context, owner: User, id: string): string {
  const end = id.indexOf('.');
  return addressOf(context, owner, id.slice(0, end), id.slice(end + 1));
}

/** The name under which a package is stored. */
export function packageId({ params: { scope = '', name = '' } }: Pick<PackageCall, 'params'>): string {
  return `${scope}.${name}`;
}

function addressOf({ settings }: Context, { lower_name }: User, scope: string, name: string): string {
  return `${settings.server.rootUrl}api/packages/${lower_name}/swift/${encodeURIComponent(scope)}/${encodeURIComponent(name)}/`;
}
