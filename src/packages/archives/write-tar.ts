/** Bytes of the end of an archive. */
const END = 1024;

/**
 * A tar archive of files by their paths.
 * @param options.isOpen without an end, so that another archive can follow
 */
export async function writeTar(files: Readonly<Record<string, Buffer>>, { isOpen = false }: { isOpen?: boolean } = {}): Promise<Buffer> {
  const { pack } = await import('tar-stream');
  const archive = pack();
  const written = Array.fromAsync(archive) as Promise<Buffer[]>;
  for (const [name, content] of Object.entries(files)) archive.entry({ name, mode: 0o644, mtime: new Date(0) }, content);
  archive.finalize();
  const bytes = Buffer.concat(await written);
  return isOpen ? bytes.subarray(0, -END) : bytes;
}
