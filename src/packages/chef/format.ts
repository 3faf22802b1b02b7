import type { HttpResponse } from '../../http/responses.ts';
import type { PackageError } from '../errors.ts';
import { markIndexes } from '../indexes/mark.ts';
import type { PackageFormat } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { share, unshare, unshareVersion } from './publish.ts';
import { signInByChefKey } from './sign-in.ts';
import { download, listCookbooks, showCookbook, showVersion } from './supermarket.ts';
import { buildUniverse, serveUniverse, UNIVERSE } from './universe.ts';

const ROOT = '/chef/api/v1';
const COOKBOOKS = `${ROOT}/cookbooks`;
const VERSION = `${COOKBOOKS}/:name/versions/:version`;

/** Cookbooks of Chef, as a supermarket (https://docs.chef.io/supermarket/supermarket_api/). */
export const chef: PackageFormat = {
  type: 'chef',
  routes: [
    { method: 'GET', path: `${ROOT}/universe`, access: 'read', handle: serveUniverse },
    { method: 'GET', path: `${ROOT}/search`, access: 'read', handle: listCookbooks },
    { method: 'GET', path: COOKBOOKS, access: 'read', handle: listCookbooks },
    { method: 'POST', path: COOKBOOKS, access: 'publish', handle: share },
    { method: 'GET', path: `${COOKBOOKS}/:name`, access: 'read', handle: showCookbook },
    { method: 'DELETE', path: `${COOKBOOKS}/:name`, access: 'write', handle: unshare },
    { method: 'GET', path: VERSION, access: 'read', handle: showVersion },
    { method: 'DELETE', path: VERSION, access: 'write', handle: unshareVersion },
    { method: 'GET', path: `${VERSION}/download`, access: 'read', handle: download },
  ],
  index: buildUniverse,
  deleting: ({ ownerId }, context) => markIndexes(context, ownerId, 'chef', [UNIVERSE]),
  signIn: signInByChefKey,
  refuse,
};

function refuse(error: PackageError): HttpResponse {
  const { message, status, headers } = error;
  if (isOfRegistry(error)) return plainRefusal(error);
  return json({ error_messages: [message] }, { status, headers: { ...headers } });
}
