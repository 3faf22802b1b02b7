import { Readable } from 'node:stream';
import type { Db } from '../../database/database.ts';
import { type HttpResponse, raw } from '../../http/responses.ts';
import { escapeSegment } from '../protocol/escape.ts';
import type { PackageCall } from '../protocol/format.ts';
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
  return raw(call.request.method === 'HEAD' ? '' : Readable.from(linesOfIndex(call)), 'text/plain; charset=utf-8');
}

async function* linesOfIndex(call: PackageCall): AsyncGenerator<string> {
  const { context, owner, baseUrl } = call;
  yield 'apiVersion: v1\nentries:';
  let isEmpty = true;
  for await (const [name, versions] of charts(context.db, owner.id)) {
    yield `${isEmpty ? '\n' : ''}  ${scalar(name)}:\n`;
    isEmpty = false;
    for (const { metadata, created_at } of versions) {
      const chart = JSON.parse(metadata) as ChartMetadata;
      yield versionLines(chart, `${baseUrl}/${escapeSegment(fileName(chart))}`, created_at);
    }
  }
  const generated = new Date().toISOString();
  yield `${isEmpty ? ' {}\n' : ''}generated: ${scalar(generated)}\nserverInfo:\n  contextPath: ${scalar(new URL(baseUrl).pathname)}\n`;
}

interface Row {
  readonly id: number;
  readonly package_id: number;
  readonly metadata: string;
  readonly created_at: number;
}

/** The charts of an owner in the order of their names, each with its versions, the newest first. */
async function* charts(db: Db, ownerId: number): AsyncGenerator<[string, Row[]]> {
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
    const versions = Map.groupBy(
      await versionsOf(
        db,
        packages.map(({ id }) => id),
      ),
      ({ package_id }) => package_id,
    );
    for (const { id, name } of packages) {
      const rows = versions.get(id);
      if (rows) yield [name, rows];
    }
    const last = packages.at(-1);
    if (!last || packages.length < PACKAGES) return;
    after = last.lower_name;
  }
}

async function versionsOf(db: Db, packageIds: readonly number[]): Promise<Row[]> {
  const all: Row[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; packageIds.length > 0; ) {
    const rows = await db
      .selectFrom('package_versions')
      .select(['id', 'package_id', 'metadata', 'created_at'])
      .where('package_id', 'in', [...packageIds])
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(VERSIONS)
      .execute();
    all.push(...rows);
    const last = rows.at(-1);
    if (!last || rows.length < VERSIONS) break;
    before = last.id;
  }
  return all;
}
