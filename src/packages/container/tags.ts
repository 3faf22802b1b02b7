import type { HttpResponse } from '../../http/responses.ts';
import type { PackageCall } from '../protocol/format.ts';
import { findImageId } from './blobs.ts';
import { ContainerError, json } from './errors.ts';
import { checkImage } from './names.ts';

/** Tags of one list where the client does not say how many it wants; the next ones are linked. */
const MAX_TAGS = 10_000;

/** The tags of an image in their order, in lower case. Distribution specification, "Listing Tags". */
export async function listTags({ context: { db }, owner, params, query }: PackageCall): Promise<HttpResponse> {
  const image = checkImage(params.image ?? '');
  const imageId = await findImageId(db, owner, image);
  if (imageId === undefined) throw new ContainerError('NAME_UNKNOWN');
  const wanted = query.get('n')?.trim() ?? '';
  const count = wanted === '' ? -1 : /^[+-]?\d{1,9}$/.test(wanted) ? Number(wanted) : 0;
  const rows = await db
    .selectFrom('package_versions')
    .select('lower_version')
    .where('package_id', '=', imageId)
    .where('is_internal', '=', false)
    // Digests have a colon, tags have none.
    .where('lower_version', 'not like', '%:%')
    .where('lower_version', '>', query.get('last')?.trim().toLowerCase() ?? '')
    .orderBy('lower_version')
    .limit(count < 0 ? MAX_TAGS : Math.min(count, MAX_TAGS))
    .execute();
  const tags = rows.map(({ lower_version }) => lower_version);
  const next = new URLSearchParams({ last: tags.at(-1) ?? '', ...(count > 0 && { n: String(count) }) });
  return json(
    { name: `${owner.lower_name}/${image}`, tags },
    { headers: tags.length > 0 ? { link: `</v2/${owner.lower_name}/${image}/tags/list?${next}>; rel="next"` } : {} },
  );
}
