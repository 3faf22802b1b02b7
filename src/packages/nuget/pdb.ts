import { invalid } from '../errors.ts';

/** Size limit of the root of a PDB's metadata in bytes. */
export const MAX_ROOT = 64 * 1024;

/** `BSJB`, with which the metadata of a portable PDB begins. */
const SIGNATURE = 0x424a5342;

/**
 * Finds where a portable PDB has its id, in the root of its metadata (ECMA-335, II.24.2):
 * https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md
 * @param root the first bytes of the file
 * @returns the offset of the 20 bytes of the stream `#Pdb`
 * @throws PackageError 400
 */
export function findPdbStream(root: Buffer): number {
  if (root.length < 16 || root.readUInt32LE(0) !== SIGNATURE) throw invalid('invalid Portable PDB magic number');
  let at = 16 + root.readUInt32LE(12) + 2;
  if (at + 2 > root.length) throw invalid('missing PDB stream');
  const streams = root.readUInt16LE(at);
  at += 2;
  for (let index = 0; index < streams && at + 12 <= root.length; index++) {
    const offset = root.readUInt32LE(at);
    const end = root.indexOf(0, at + 8);
    if (end < 0) break;
    if (root.toString('latin1', at + 8, end) === '#Pdb') return offset;
    // Names are filled up to a multiple of four bytes, with one zero at least.
    at += 8 + (Math.floor((end - at - 8) / 4) + 1) * 4;
  }
  throw invalid('missing PDB stream');
}

/** The id of a PDB as symbol servers know it: the first sixteen bytes of its stream as a GUID, in lower-case hexadecimal digits. */
export function pdbId(bytes: Buffer): string {
  if (bytes.length < 16) throw invalid('missing PDB stream');
  const hex = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).reverse().toString('hex');
  return hex(0, 4) + hex(4, 6) + hex(6, 8) + bytes.toString('hex', 8, 16);
}
