import type { Db } from '../../database/database.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { escapeSegment } from '../protocol/escape.ts';
import type { PackageCall } from '../protocol/format.ts';
import { documentStream } from '../protocol/pieces.ts';
import { scalar, versionLines } from './index-document.ts';
import type { ChartMetadata } from './metadata.ts';

/** Rows of one query. */
const PACKAGES = 200;
const VERSIONS = 500;

/** The name of a chart's archive. */
export function fileName({ name, version }: Pick<ChartMetadata, 'name' | 'version'>): string {
  return `${name}-${version}.tgz`.toLowerCase();
}

/** `index.yaml`, written while it is sent. https://helm.sh/docs/topics/chart_repository/#the-index-file */
export async function serveIndex(call: PackageCall): Promise<HttpResponse> {
  return raw(call.request.method === 'HEAD' ? '' : documentStream(linesOfIndex(call)), 'text/plain; charset=utf-8');
}

async function* linesOfIndex(call: PackageCall): AsyncGenerator<string> {
  const { context, owner, baseUrl } = call;
  yield 'apiVersion: v1\nentries:';
  let last: string | undefined;
  for await (const { name, versions } of charts(context.db, owner.id)) {
    if (name !== last) yield `${last === undefined ? '\n' : ''}  ${scalar(name)}:\n`;
    last = name;
    for (const { metadata, created_at } of versions) {
      const chart = JSON.parse(metadata) as ChartMetadata;
      yield versionLines(chart, `${baseUrl}/${escapeSegment(fileName(chart))}`, created_at);
    }
  }
  const generated = scalar(new Date().toISOString());
  yield `${last === undefined ? ' {}\n' : ''}generated: ${generated}\nserverInfo:\n  contextPath: ${scalar(new URL(baseUrl).pathname)}\n`;
}

/** Some versions of a chart. */
interface Batch {
  readonly name: string;
  readonly versions: readonly { readonly metadata: string; readonly created_at: number }[];
}

/** The charts of an owner in the order of their names, each with its versions in batches, the newest first. */
async function* charts(db: Db, ownerId: number): AsyncGenerator<Batch> {
  for (let after = ''; ; ) {
    const packages = await db
      .selectFrom('packages')
      .select(['id', 'name', 'lower_name'])
      .where('owner_id', '=', ownerId)
      .where('type', '=', 'helm')
      .where('is_internal', '=', false)
      .where('lower_name', '>', after)
      .orderBy('lower_name')
      .limit(PACKAGES)
      .execute();
    yield* versionsOf(db, packages);
    const last = packages.at(-1);
    if (!last || packages.length < PACKAGES) return;
    after = last.lower_name;
  }
}

/** The ids are read first, which an index has in their order: sorting whole rows for each batch would take longer the more there are. */
async function* versionsOf(db: Db, packages: readonly { id: number; name: string }[]): AsyncGenerator<Batch> {
  if (packages.length === 0) return;
  const listed = await db
    .selectFrom('package_versions')
    .select(['id', 'package_id'])
    .where(
      'package_id',
      'in',
      packages.map(({ id }) => id),
    )
    .execute();
  const byPackage = Map.groupBy(listed, ({ package_id }) => package_id);
  const ids = packages.flatMap(({ id }) => (byPackage.get(id) ?? []).map((row) => row.id).sort((a, b) => b - a));
  const names = new Map(packages.map(({ id, name }) => [id, name]));
  for (let at = 0; at < ids.length; at += VERSIONS) {
    const wanted = ids.slice(at, at + VERSIONS);
    const rows = await db
      .selectFrom('package_versions')
      .select(['id', 'package_id', 'metadata', 'created_at'])
      .where('id', 'in', wanted)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const inOrder = wanted.flatMap((id) => byId.get(id) ?? []);
    for (const [packageId, versions] of Map.groupBy(inOrder, ({ package_id }) => package_id)) {
      yield { name: names.get(packageId) ?? '', versions };
    }
  }
}
