import type { Digests } from '../blobs/digests.ts';

/** Where a file is that a document lists, and what it has to be. */
export interface UpstreamLink {
  readonly file: string;
  readonly url: string;
  readonly digests: Partial<Digests>;
}

/** A link as a line of the content that is kept beside a document: one is found without reading all of them. */
export function linkLine({ file, url, digests }: UpstreamLink): string {
  return JSON.stringify([file, url, digests]);
}
