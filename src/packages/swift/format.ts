import { HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import { markPackageIndex } from '../indexes/mark-package.ts';
import type { FormatRoute, PackageCall, PackageFormat } from '../protocol/format.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { publishRelease } from './publish.ts';
import { download, findIdentifiers, showManifest, showRelease } from './read.ts';
import { buildReleases, listReleases } from './releases.ts';
import { CONTENT_VERSION } from './responses.ts';

const RELEASE = '/swift/:scope/:name/:version';

/**
 * Packages of Swift: a registry, version 1
 * (https://github.com/swiftlang/swift-package-manager/blob/main/Documentation/PackageRegistry/Registry.md).
 */
export const swift: PackageFormat = {
  type: 'swift',
  group: '/swift/:scope/:name/:rest*',
  routes: [
    { method: 'POST', path: '/swift', access: 'none', handle: checkSignIn },
    { method: 'POST', path: '/swift/login', access: 'none', handle: checkSignIn },
    accepting('json', 'GET', '/swift/identifiers', findIdentifiers),
    accepting('json', 'GET', '/swift/:scope/:name.json', listReleases),
    accepting('json', 'GET', '/swift/:scope/:name', listReleases),
    accepting('json', 'GET', `${RELEASE}.json`, showRelease),
    accepting('zip', 'GET', `${RELEASE}.zip`, download),
    accepting('swift', 'GET', `${RELEASE}/Package.swift`, showManifest),
    accepting('json', 'GET', RELEASE, showRelease),
    accepting('json', 'PUT', RELEASE, publishRelease),
  ],
  index: buildReleases,
  deleting: ({ ownerId, packageId }, context) => markPackageIndex(context, ownerId, 'swift', packageId),
  // RFC 7807, as "Error handling" of the specification wants it.
  refuse: (error) => {
    if (isOfRegistry(error)) return plainRefusal(error);
    const { status, message, headers } = error;
    const all = { ...CONTENT_VERSION, ...headers, 'content-type': 'application/problem+json' };
    return new HttpResponse(Buffer.from(JSON.stringify({ status, detail: message })), { status, headers: all, raw: true });
  },
};

/** A route for clients that accept its media type, or say nothing of it ("API versioning"). */
function accepting(kind: 'json' | 'swift' | 'zip', method: 'GET' | 'PUT', path: string, handle: FormatRoute['handle']): FormatRoute {
  const type = `application/vnd.swift.registry.v1+${kind}`;
  return {
    method,
    path,
    access: method === 'GET' ? 'read' : 'publish',
    handle: async (call) => {
      const { accept } = call.request.headers;
      if (accept && accept !== type) {
        throw new PackageError('invalid', { message: `Unexpected accept header. Should be '${type}'.` });
      }
      return await handle(call);
    },
  };
}

async function checkSignIn({ context }: PackageCall): Promise<HttpResponse> {
  if (!context.actor) throw new PackageError('invalid', { status: 401, message: '' });
  return new HttpResponse('', { status: 200, raw: true });
}
