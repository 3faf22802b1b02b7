import { finished, type Readable } from 'node:stream';

/**
 * The whole content if it is at most so large: it can then be stored without streams, which cost more than its bytes. Undefined for a
 * larger one, of which nothing is consumed.
 * @throws the error of the content
 */
export function takeSmall(content: Readable, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onReadable = () => {
      for (let chunk: Buffer | null = content.read(); chunk !== null; chunk = content.read()) {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= maxBytes) continue;
        forget();
        content.off('readable', onReadable);
        content.unshift(Buffer.concat(chunks));
        resolve(undefined);
        return;
      }
    };
    const forget = finished(content, { writable: false }, (error) => {
      forget();
      content.off('readable', onReadable);
      if (error) reject(error);
      else resolve(Buffer.concat(chunks));
    });
    content.on('readable', onReadable);
  });
}
