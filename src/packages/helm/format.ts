import { empty, HttpResponse } from '../../http/responses.ts';
import { openArchive } from '../blobs/content.ts';
import { markIndexes } from '../indexes/mark.ts';
import type { PackageCall, PackageFormat } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { isOfRegistry } from '../protocol/refusals.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { serveFile } from '../protocol/serve.ts';
import { publish } from '../registry/publish.ts';
import { readChart } from './metadata.ts';
import { findChartFile, pushProvenance } from './provenance.ts';
import { buildIndex, CHARTS, fileName, serveIndex } from './repository.ts';

const TYPE = 'helm';

/**
 * Charts of Helm: a chart repository (https://helm.sh/docs/topics/chart_repository/), to which charts are pushed as to ChartMuseum
 * (https://chartmuseum.com/docs/#api). The container registry takes charts too.
 */
export const helm: PackageFormat = {
  type: TYPE,
  routes: [
    { method: 'GET', path: '/helm/index.yaml', access: 'read', handle: serveIndex },
    { method: 'GET', path: '/helm/:file', access: 'read', handle: download },
    { method: 'POST', path: '/helm/api/charts', access: 'publish', handle: push },
    { method: 'POST', path: '/helm/api/prov', access: 'publish', handle: pushProvenance },
  ],
  index: buildIndex,
  deleting: ({ ownerId }, context) => markIndexes(context, ownerId, TYPE, [CHARTS]),
  refuse: (error) =>
    isOfRegistry(error)
      ? plainRefusal(error)
      : new HttpResponse({ error: error.message }, { status: error.status, headers: { ...error.headers } }),
};

async function push(call: PackageCall): Promise<HttpResponse> {
  const { context, owner } = call;
  const blob = await receivePackage(call, TYPE, { shown: [] });
  const metadata = await readArchive(call, async () => readChart(context, await openArchive(context, blob)));
  const { name, version } = metadata;
  await publish(context, {
    owner,
    type: TYPE,
    name,
    version,
    semverCompatible: true,
    metadata,
    existing: 'append',
    files: [{ name: fileName(metadata), blob, isLead: true, existing: 'replace' }],
    indexes: [CHARTS],
  });
  return empty(201);
}

async function download(call: PackageCall): Promise<HttpResponse> {
  return await serveFile(call, await findChartFile(call, call.params.file ?? ''));
}
