/** A patch is cut into pieces of about this many bytes, each of whole files. */
const PIECE = 192 * 1024;
/** Size limit of one file, in bytes; the rest is left out. */
const MAX_FILE = 2 * 1024 * 1024;

const FILE = Buffer.from('\ndiff --git ');

/** Splits the output of `git diff` where files begin: no line of a file looks like a file header. */
export async function* piecesOf(patch: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const piece = new Piece();
  let tail: Buffer = Buffer.from('\n');
  for await (const chunk of patch) {
    // The header of a file may be split across two chunks.
    const bytes = Buffer.concat([tail, chunk]);
    let from = 0;
    for (let at = bytes.indexOf(FILE); at !== -1; at = bytes.indexOf(FILE, at + 1)) {
      piece.add(bytes.subarray(from, at));
      from = at;
      piece.endFile();
      if (piece.size >= PIECE) yield piece.take();
    }
    const cut = Math.max(from, bytes.length - FILE.length + 1);
    piece.add(bytes.subarray(from, cut));
    tail = bytes.subarray(cut);
  }
  piece.add(tail);
  yield piece.take();
}

/** The collected part of the next piece. */
class Piece {
  #parts: Buffer[] = [];
  #fileSize = 0;
  size = 0;

  add(bytes: Buffer): void {
    const kept = bytes.subarray(0, Math.max(0, MAX_FILE - this.#fileSize));
    this.#fileSize += bytes.length;
    this.size += kept.length;
    if (kept.length > 0) this.#parts.push(kept);
  }

  endFile(): void {
    this.#fileSize = 0;
  }

  take(): Buffer {
    const taken = Buffer.concat(this.#parts);
    this.#parts = [];
    this.size = 0;
    return taken;
  }
}
