import { Transform } from 'node:stream';
import { invalid } from '../errors.ts';

/** Decodes Base64 that is in a JSON text, where slashes and line breaks may be escaped; fails for anything else. */
export class Base64Decoder extends Transform {
  #left = '';
  #isEnded = false;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    let text = this.#left + chunk.toString('latin1');
    this.#left = '';
    if (text.endsWith('\\')) {
      text = text.slice(0, -1);
      this.#left = '\\';
    }
    text = unescaped(text);
    const whole = text.length - (text.length % 4);
    this.#left = text.slice(whole) + this.#left;
    const part = text.slice(0, whole);
    const decoded = part === '' ? undefined : decode(part);
    if (part !== '' && (this.#isEnded || !decoded)) {
      done(invalid('package attachment is invalid'));
      return;
    }
    this.#isEnded ||= part.endsWith('=');
    done(null, decoded);
  }

  override _flush(done: (error: Error | null) => void): void {
    done(this.#left === '' ? null : invalid('package attachment is invalid'));
  }
}

/**
 * Decodes all of such a Base64 at once.
 * @throws PackageError 400 for anything else
 */
export function decodeBase64(escaped: string): Buffer {
  const text = unescaped(escaped);
  const decoded = text.length % 4 === 0 ? decode(text) : undefined;
  if (!decoded) throw invalid('package attachment is invalid');
  return decoded;
}

function unescaped(text: string): string {
  return text.includes('\\') ? text.replace(/\\(?:[rn]|(\/))/g, '$1') : text;
}

/** Undefined for what is not Base64. Node skips characters that it does not know, so the result is shorter then; an expression takes far longer. */
function decode(text: string): Buffer | undefined {
  const decoded = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // The other alphabet, which Node knows too.
  const isOther = text.includes('-') || text.includes('_');
  return isOther || decoded.length !== (text.length / 4) * 3 - padding ? undefined : decoded;
}
