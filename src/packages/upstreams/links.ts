import { createInterface } from 'node:readline';
import type { Context } from '../../context.ts';
import { openBlob } from '../blobs/content.ts';
import { DIGESTS } from '../blobs/digests.ts';
import { objectOf, textOf } from '../protocol/values.ts';
import type { WholeCached } from './cache.ts';
import type { UpstreamLink } from './link-line.ts';

/** The link to a file of a document; undefined if the document does not list it. */
export async function findLink(context: Context, { row }: WholeCached, file: string): Promise<UpstreamLink | undefined> {
  if (row.links_blob_id === null) return undefined;
  const { db } = context.database;
  const blob = await db.selectFrom('package_blobs').selectAll().where('id', '=', row.links_blob_id).executeTakeFirst();
  if (!blob) return undefined;
  const start = `${JSON.stringify([file]).slice(0, -1)},`;
  const content = await openBlob(context, blob);
  try {
    for await (const line of createInterface({ input: content, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.startsWith(start)) return readLine(line);
    }
    return undefined;
  } finally {
    content.destroy();
  }
}

function readLine(line: string): UpstreamLink {
  const [file, url, given] = JSON.parse(line) as unknown[];
  const digests = objectOf(given);
  const known = DIGESTS.map((name) => [name, textOf(digests[name])] as const).filter(([, digest]) => digest !== '');
  return { file: textOf(file), url: textOf(url), digests: Object.fromEntries(known) };
}
