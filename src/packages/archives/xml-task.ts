import { PackageError } from '../errors.ts';
import { parseXml } from './xml.ts';

/** The input: see `readXml`. */
export interface XmlTask {
  readonly document: Uint8Array | string;
  readonly maxBytes: number;
}

/** Reads a document, or returns why it is refused. A mebibyte takes up to half a second. */
export function run({ document, maxBytes }: XmlTask): { read: Record<string, unknown> } | { refusal: string } {
  try {
    return { read: parseXml(typeof document === 'string' ? document : Buffer.from(document), maxBytes) };
  } catch (error) {
    if (error instanceof PackageError) return { refusal: error.message };
    throw error;
  }
}
