/** The content of a blob that stands for a file in Git LFS. */
export interface LfsPointer {
  /** The SHA-256 of the content, in hexadecimal digits. */
  readonly oid: string;
  /** Bytes of the content. */
  readonly size: number;
}

/** Pointers are smaller than this; a larger blob is not a pointer and need not be read. */
export const MAX_LFS_POINTER_SIZE = 1024;

const VERSION = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n/;

/** Parses a pointer (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md); `undefined` if the bytes are none. */
export function parseLfsPointer(data: Uint8Array): LfsPointer | undefined {
  if (data.length >= MAX_LFS_POINTER_SIZE) return undefined;
  const text = Buffer.from(data.buffer, data.byteOffset, data.length).toString('utf8');
  if (!VERSION.test(text)) return undefined;
  const oid = /^oid sha256:([0-9a-f]{64})\r?$/m.exec(text)?.[1];
  const size = Number(/^size (\d{1,16})\r?$/m.exec(text)?.[1] ?? Number.NaN);
  return oid !== undefined && Number.isSafeInteger(size) ? { oid, size } : undefined;
}

/** Writes a pointer as in the specification. */
export function formatLfsPointer(pointer: LfsPointer): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${pointer.oid}\nsize ${pointer.size}\n`;
}
