import { ContainerError } from './errors.ts';

/** Names of images and tags, and digests: distribution specification, "Pulling manifests"; image specification, "Digests". */
const IMAGE = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})$/;
const MAX_IMAGE = 255;

/** The version with uploaded contents that are not part of a manifest yet. */
export const UPLOADS = '_upload';

/** @throws ContainerError NAME_INVALID */
export function checkImage(name: string): string {
  if (name.length > MAX_IMAGE || !IMAGE.test(name)) throw new ContainerError('NAME_INVALID');
  return name;
}

/** Whether a text can be a digest of content, by an algorithm that the image specification names. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/** Whether a text can be a tag; that of the registry's own version is none. */
export function isTag(text: string): boolean {
  return TAG.test(text) && text.toLowerCase() !== UPLOADS;
}

/** A digest by a supported algorithm. */
export interface ContentDigest {
  readonly algorithm: 'sha256' | 'sha512';
  /** The hexadecimal digits. */
  readonly hex: string;
}

/** Reads a digest; undefined for other algorithms, and for what is none. */
export function readDigest(text: string): ContentDigest | undefined {
  const [algorithm, hex = ''] = text.split(':', 2);
  return isDigest(text) && (algorithm === 'sha256' || algorithm === 'sha512') ? { algorithm, hex } : undefined;
}
