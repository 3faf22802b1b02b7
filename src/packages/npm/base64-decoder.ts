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
    if (text.includes('\\')) text = text.replace(/\\(?:[rn]|(\/))/g, '$1');
    const whole = text.length - (text.length % 4);
    this.#left = text.slice(whole) + this.#left;
    const part = text.slice(0, whole);
    if (part === '') done(null);
    else if (this.#isEnded || !/^[A-Za-z0-9+/]*={0,2}$/.test(part)) done(invalid('package attachment is invalid'));
    else {
      this.#isEnded = part.endsWith('=');
      done(null, Buffer.from(part, 'base64'));
    }
  }

  override _flush(done: (error: Error | null) => void): void {
    done(this.#left === '' ? null : invalid('package attachment is invalid'));
  }
}
