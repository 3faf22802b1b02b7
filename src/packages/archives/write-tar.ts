/** Bytes of the end of an archive. */
const END = 1024;
/** Contents are padded to a multiple of this size. */
const RECORD = 512;

const ENTRY = { mode: 0o644, mtime: new Date(0) };

/** The header of a file in an archive. */
export async function tarHeader(name: string, size: number): Promise<Buffer> {
  const { pack } = await import('tar-stream');
  const archive = pack();
  archive.entry({ name, size, ...ENTRY }).on('error', () => {});
  const { value } = await (archive[Symbol.asyncIterator]() as AsyncIterator<Buffer, Buffer>).next();
  archive.destroy();
  return value;
}

/** The bytes after the content of the last file of an archive. */
export function tarEnd(size: number): Buffer {
  return Buffer.alloc((-size & (RECORD - 1)) + END);
}

/**
 * A tar archive of files by their paths.
 * @param options.isOpen leaves out the end, so that another archive can follow
 */
export async function writeTar(files: Readonly<Record<string, Buffer>>, { isOpen = false }: { isOpen?: boolean } = {}): Promise<Buffer> {
  const { pack } = await import('tar-stream');
  const archive = pack();
  const written = Array.fromAsync(archive) as Promise<Buffer[]>;
  for (const [name, content] of Object.entries(files)) archive.entry({ name, ...ENTRY }, content);
  archive.finalize();
  const bytes = Buffer.concat(await written);
  return isOpen ? bytes.subarray(0, -END) : bytes;
}
