import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { BlockDocument } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { groupedByPackage, hasVersions, listAllVersions, type NamedVersion, readListed } from '../indexes/listed-versions.ts';
import { escapeSegment } from '../protocol/escape.ts';
import type { PackageCall } from '../protocol/format.ts';
import { registryUrl } from '../protocol/registry-url.ts';
import { serveIndex as serveIndexOf } from '../protocol/serve-index.ts';
import { scalar, versionLines } from './index-document.ts';
import type { ChartMetadata } from './metadata.ts';

const TYPE = 'helm';
const MEDIA_TYPE = 'text/plain; charset=utf-8';
/** The key of the index of all charts of an owner. */
export const CHARTS = 'charts';
const INDEX = 'index.yaml';

/** The name of a chart's archive. */
export function fileName({ name, version }: Pick<ChartMetadata, 'name' | 'version'>): string {
  return `${name}-${version}.tgz`.toLowerCase();
}

/** `index.yaml`: https://helm.sh/docs/topics/chart_repository/#the-index-file */
export async function serveIndex(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, request, baseUrl } = call;
  if (!(await hasVersions(context.db, owner.id, TYPE))) {
    return raw(request.method === 'HEAD' ? '' : `${headOf(false)}${tailOf(baseUrl)}`, MEDIA_TYPE);
  }
  const index = { type: TYPE, key: CHARTS, builder: buildIndex, document: { name: INDEX, compositeKey: baseUrl } } as const;
  return await serveIndexOf(call, index, { type: MEDIA_TYPE });
}

/** Builds the list of all charts, in the order of their names, each with its versions, newest first. The composite key is the URL in its links. */
export async function buildIndex(context: Context, owner: User): Promise<readonly IndexFile[]> {
  const url = registryUrl(context, owner, TYPE);
  const index = { ownerId: owner.id, type: TYPE, key: CHARTS } as const;
  const versions = groupedByPackage(await listAllVersions(context, owner.id, TYPE, byNameAndAge));
  const write: BlockDocument<(typeof versions)[number]>['write'] = async (some) => {
    const firstOfNames = new Map(some.flatMap(({ id, name, isFirstOfPackage }) => (isFirstOfPackage ? [[id, name]] : [])));
    return (await readListed(context.db, some)).map((row) => `${nameLine(firstOfNames.get(row.id))}${linesOf(url, row)}`).join('');
  };
  await retainDocuments(context.db, index, [url]);
  const parts = cachedBlocks(context, { index, name: url, versions, write });
  return [
    {
      name: INDEX,
      compositeKey: url,
      content: new ComposedDocument([headOf(versions.length > 0), parts, tailOf(url)]),
    },
  ];
}

function byNameAndAge(a: NamedVersion, b: NamedVersion): number {
  if (a.package_id === b.package_id) return b.id - a.id;
  return a.lower_name < b.lower_name ? -1 : 1;
}

function headOf(hasCharts: boolean): string {
  return `apiVersion: v1\nentries:${hasCharts ? '' : ' {}'}\n`;
}

function tailOf(url: string): string {
  return `generated: ${scalar(new Date().toISOString())}\nserverInfo:\n  contextPath: ${scalar(new URL(url).pathname)}\n`;
}

function nameLine(name: string | undefined): string {
  return name === undefined ? '' : `  ${scalar(name)}:\n`;
}

function linesOf(url: string, { metadata, created_at }: { metadata: string; created_at: number }): string {
  const chart = JSON.parse(metadata) as ChartMetadata;
  return versionLines(chart, `${url}/${escapeSegment(fileName(chart))}`, created_at);
}
