import type { Context } from '../../context.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import { readBlob } from '../blobs/content.ts';
import { parseJsonObject } from '../protocol/parse-json.ts';
import { objectOf, textMapOf, textOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';

/** The stored metadata of an image; the names are those of Gitea's API and pages. */
export interface ImageMetadata {
  readonly type?: 'oci' | 'helm';
  readonly platform?: string;
  readonly description?: string;
  readonly authors?: readonly string[];
  readonly license?: string;
  readonly project_url?: string;
  readonly repository_url?: string;
  readonly documentation_url?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly layer_creation?: readonly string[];
  readonly manifests?: readonly { readonly platform: string; readonly digest: string; readonly size: number }[];
}

/** The default platform. */
export const DEFAULT_PLATFORM = 'linux/amd64';

const HELM_CONFIG = 'application/vnd.cncf.helm.config.v1+json';
/** Bytes of a config that is read; there are artifacts with any content in its place. */
const MAX_CONFIG = 1024 * 1024;
const LABEL = 'org.opencontainers.image.';

/** The metadata in the config of a manifest: of an image (image specification, "OCI Image Configuration"), or of a Helm chart. */
export async function readConfig(context: Context, blob: PackageBlobRow, mediaType: string): Promise<ImageMetadata> {
  const document = blob.size > MAX_CONFIG ? undefined : parse(await readBlob(context, blob, MAX_CONFIG));
  if (!document) return { platform: 'unknown/unknown' };
  return mediaType.toLowerCase() === HELM_CONFIG ? ofChart(document) : ofImage(document);
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    return parseJsonObject('the config', bytes);
  } catch {
    return undefined;
  }
}

function ofImage(document: Record<string, unknown>): ImageMetadata {
  const [os, architecture, variant] = [document.os, document.architecture, document.variant].map(textOf);
  const labels = textMapOf(objectOf(document.config).Labels);
  const label = (name: string) => labels[LABEL + name] ?? '';
  const history = Array.isArray(document.history) ? document.history.map((step) => commandOf(textOf(objectOf(step).created_by))) : [];
  return withoutEmpty({
    type: 'oci' as const,
    platform: os && architecture ? [os, architecture, ...(variant ? [variant] : [])].join('/') : DEFAULT_PLATFORM,
    description: label('description'),
    authors: label('authors') ? [label('authors')] : [],
    license: label('licenses'),
    project_url: webUrlOf(label('url')),
    repository_url: webUrlOf(label('source')),
    documentation_url: webUrlOf(label('documentation')),
    labels,
    layer_creation: history.filter((command) => command !== ''),
  });
}

function ofChart({ description, home, maintainers, sources }: Record<string, unknown>): ImageMetadata {
  return withoutEmpty({
    type: 'helm' as const,
    description: textOf(description),
    authors: Array.isArray(maintainers) ? maintainers.map((maintainer) => textOf(objectOf(maintainer).name)) : [],
    project_url: webUrlOf(home),
    repository_url: webUrlOf(Array.isArray(sources) ? sources[0] : ''),
  });
}

/** A step without Docker's prefix of steps that run nothing. */
function commandOf(step: string): string {
  const at = step.indexOf('#(nop) ');
  return at < 0 ? step : step.slice(at + '#(nop) '.length).trim();
}
