import type { FormatRoute, PackageFormat } from '../protocol/format.ts';
import { type RemoteHandler, throughUpstream } from '../upstreams/through.ts';
import { exemptManifests, forgetUploads } from './cleanup.ts';
import { deleteBlob, getBlob } from './contents.ts';
import { refuseContainer } from './errors.ts';
import { deleteManifest, getManifest, putManifest } from './manifests.ts';
import { checkImage } from './names.ts';
import { listReferrers } from './referrers.ts';
import { listTags } from './tags.ts';
import { signInToRegistry } from './tokens.ts';
import { abandonUpload, continueUpload, endUpload, showUpload, startUpload } from './uploads.ts';
import { getUpstreamBlob, getUpstreamManifest, listUpstreamTags } from './upstream.ts';

const UPLOAD = '/:image*/blobs/uploads/:uuid([-.=\\w]+)';

/**
 * Images and artifacts of containers: the OCI distribution specification 1.1
 * (https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md), and manifests of Docker's schema 2.
 */
export const container: PackageFormat = {
  type: 'container',
  group: '/:rest*',
  mount: '/v2/:username',
  routes: [
    { method: 'POST', path: '/:image*/blobs/uploads', access: 'publish', handle: startUpload },
    { method: 'GET', path: UPLOAD, access: 'publish', handle: showUpload },
    { method: 'PATCH', path: UPLOAD, access: 'publish', handle: continueUpload },
    { method: 'PUT', path: UPLOAD, access: 'publish', handle: endUpload },
    { method: 'DELETE', path: UPLOAD, access: 'publish', handle: abandonUpload },
    { method: 'GET', head: true, path: '/:image*/blobs/:digest', access: 'read', handle: through(getBlob, getUpstreamBlob) },
    { method: 'DELETE', path: '/:image*/blobs/:digest', access: 'write', handle: deleteBlob },
    { method: 'GET', head: true, path: '/:image*/manifests/:reference', access: 'read', handle: through(getManifest, getUpstreamManifest) },
    { method: 'PUT', path: '/:image*/manifests/:reference', access: 'publish', handle: putManifest },
    { method: 'DELETE', path: '/:image*/manifests/:reference', access: 'write', handle: deleteManifest },
    { method: 'GET', path: '/:image*/tags/list', access: 'read', handle: through(listTags, listUpstreamTags) },
    { method: 'GET', path: '/:image*/referrers/:digest', access: 'read', handle: listReferrers },
  ],
  signIn: signInToRegistry,
  refuse: refuseContainer,
  cleanup: forgetUploads,
  exempt: exemptManifests,
};

function through(own: FormatRoute['handle'], remote: RemoteHandler): FormatRoute['handle'] {
  return throughUpstream('container', ({ params: { image = '' } }) => checkImage(image), own, remote);
}
