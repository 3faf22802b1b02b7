import type { HttpResponse } from '../../http/responses.ts';
import type { PackageCall } from '../protocol/format.ts';
import type { Properties } from '../registry/properties.ts';
import { findImageId } from './blobs.ts';
import { ContainerError, json } from './errors.ts';
import type { Manifest } from './manifest.ts';
import { checkImage, isDigest } from './names.ts';

const INDEX = 'application/vnd.oci.image.index.v1+json';
/** The subject of a manifest, and its description in lists. */
const SUBJECT = 'container.subject';
const DESCRIPTOR = 'container.descriptor';
/** Page size of a list; further pages are linked. */
const PAGE = 100;
/** Characters of annotations that lists repeat; who wants more of them reads the manifest. */
const MAX_ANNOTATIONS = 16 * 1024;

/** The properties of a version by which it is found as a referrer of its subject; none without a subject. */
export function descriptorOf(manifest: Manifest, digest: string, size: number): Properties {
  const { subject, mediaType, annotations } = manifest;
  if (subject === undefined) return {};
  const artifactType = manifest.artifactType ?? (manifest.kind === 'manifest' ? manifest.config.mediaType : undefined);
  const isShort = JSON.stringify(annotations).length <= MAX_ANNOTATIONS;
  const descriptor = {
    mediaType,
    digest,
    size,
    ...(artifactType !== undefined && { artifactType }),
    ...(isShort && Object.keys(annotations).length > 0 && { annotations }),
  };
  return { [SUBJECT]: subject, [DESCRIPTOR]: JSON.stringify(descriptor) };
}

/**
 * The manifests whose subject is a manifest, such as signatures and lists of components; none if there are none, whether it exists or not.
 * Distribution specification 1.1, "Listing Referrers".
 */
export async function listReferrers(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, params, query } = call;
  const image = checkImage(params.image ?? '');
  const digest = params.digest ?? '';
  if (!isDigest(digest)) throw new ContainerError('DIGEST_INVALID');
  const artifactType = query.get('artifactType') ?? '';
  const imageId = await findImageId(context.db, owner, image);
  const rows = imageId === undefined ? [] : await findReferrers(call, imageId, digest, Number(query.get('after')) || 0);
  const descriptors = rows.map(({ value }) => JSON.parse(value) as Record<string, unknown>);
  // A manifest that also has a tag is listed only once.
  const manifests = [...new Map(descriptors.map((one) => [one.digest, one])).values()].filter(
    (one) => artifactType === '' || one.artifactType === artifactType,
  );
  const next = new URLSearchParams({ ...(artifactType && { artifactType }), after: String(rows.at(-1)?.id) });
  const link = `</v2/${owner.lower_name}/${image}/referrers/${digest}?${next}>; rel="next"`;
  return json(
    { schemaVersion: 2, mediaType: INDEX, manifests },
    { type: INDEX, headers: { ...(artifactType && { 'oci-filters-applied': 'artifactType' }), ...(rows.length === PAGE && { link }) } },
  );
}

async function findReferrers({ context: { db } }: PackageCall, imageId: number, digest: string, after: number) {
  return await db
    .selectFrom('package_versions')
    .innerJoin('package_properties as subject', 'subject.version_id', 'package_versions.id')
    .innerJoin('package_properties as descriptor', 'descriptor.version_id', 'package_versions.id')
    .select(['package_versions.id', 'descriptor.value'])
    .where('package_versions.package_id', '=', imageId)
    .where('subject.name', '=', SUBJECT)
    .where('subject.value', '=', digest)
    .where('descriptor.name', '=', DESCRIPTOR)
    .where('package_versions.id', '>', after)
    .orderBy('package_versions.id')
    .limit(PAGE)
    .execute();
}
