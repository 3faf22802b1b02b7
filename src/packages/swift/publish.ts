import { empty, type HttpResponse } from '../../http/responses.ts';
import { randomAccess } from '../archives/zip.ts';
import { invalid } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { publish } from '../registry/publish.ts';
import { parseLooseVersion } from '../versions/loose.ts';
import { receiveForm } from './form.ts';
import { type Described, readDescription, readManifests } from './metadata.ts';
import { CONTENT_VERSION, packageId } from './responses.ts';

/** "Package scope" and "Package name" of the specification. */
const SCOPE = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,38}$/;
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9-_]{0,99}$/;
const NOTHING: Described = { about: {}, repositoryUrls: [] };

/** PUT: "Create a package release". Of the version the three numbers are stored that a release of Swift has. */
export async function publishRelease(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params } = call;
  const { scope = '', name = '', version: wanted = '' } = params;
  const parsed = parseLooseVersion(wanted);
  if (!parsed) throw invalid(`malformed version: ${wanted}`);
  if (!SCOPE.test(scope) || !NAME.test(name)) throw invalid('');
  const version = parsed.numbers.slice(0, 3).join('.');
  const { archive, metadata } = await receiveForm(call);
  if (!archive) throw invalid('unable to read source-archive file');
  const manifests = await readArchive(call, () => readManifests(randomAccess(context, archive)));
  const { about, repositoryUrls } = metadata && metadata.length > 0 ? readDescription(metadata) : NOTHING;
  await publish(context, {
    owner,
    type: 'swift',
    name: packageId(call),
    version,
    semverCompatible: true,
    metadata: { ...about, manifests },
    packageProperties: { 'swift.scope': scope, 'swift.name': name },
    versionProperties: { 'swift.repository_url': repositoryUrls },
    files: [{ name: `${name}-${version}.zip`, blob: archive, isLead: true }],
    indexes: [packageId(call).toLowerCase()],
  });
  return empty(201, CONTENT_VERSION);
}
