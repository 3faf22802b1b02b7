/*
 * The frames of git's protocols: four hexadecimal digits of length, themselves counted, then the payload
 * (https://git-scm.com/docs/gitprotocol-common).
 */

/** Ends a list. */
export const FLUSH_PACKET = Buffer.from('0000');

const LENGTH_DIGITS = 4;
const MAX_PACKET_BYTES = 65_520;

/** One packet: its payload, or a flush, delimiter or response end without one. */
export interface Packet {
  /** Undefined for special packets. */
  payload: Buffer | undefined;
  /** Where the next packet begins. */
  end: number;
}

/** The bytes are not a packet. */
export class MalformedPacketError extends Error {
  override readonly name = 'MalformedPacketError';
}

/** A packet with this text, which must be short enough. */
export function packet(text: string): Buffer {
  const payload = Buffer.from(text);
  const length = payload.length + LENGTH_DIGITS;
  if (length > MAX_PACKET_BYTES) throw new RangeError('a packet would be too long');
  return Buffer.concat([Buffer.from(length.toString(16).padStart(LENGTH_DIGITS, '0')), payload]);
}

/**
 * The packet that begins at `start`; undefined while it is incomplete.
 * @throws MalformedPacketError
 */
export function readPacket(bytes: Buffer, start: number): Packet | undefined {
  if (bytes.length < start + LENGTH_DIGITS) return undefined;
  const digits = bytes.toString('latin1', start, start + LENGTH_DIGITS);
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw new MalformedPacketError('no packet length');
  const length = Number.parseInt(digits, 16);
  if (length === 3 || length > MAX_PACKET_BYTES) throw new MalformedPacketError('an impossible packet length');
  if (length < LENGTH_DIGITS) return { payload: undefined, end: start + LENGTH_DIGITS };
  if (bytes.length < start + length) return undefined;
  return { payload: bytes.subarray(start + LENGTH_DIGITS, start + length), end: start + length };
}

/**
 * Reads sections from bytes that arrive in pieces: each byte is read and copied about once, however small the pieces are.
 * Received bytes stay in memory, so the caller limits them.
 */
export class SectionReader {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;
  #at = 0;
  #lines: string[] = [];
  readonly #maxLines: number;

  /** @param maxLines packets of one section */
  constructor(maxLines: number) {
    this.#maxLines = maxLines;
  }

  /** Everything received so far. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Whether nothing follows the last section yet. */
  get isAtEnd(): boolean {
    return this.#at === this.#length;
  }

  add(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    piece.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  /**
   * The texts of the next section, without their line ends; undefined while it is incomplete.
   * @throws MalformedPacketError
   */
  next(): string[] | undefined {
    const { bytes } = this;
    for (;;) {
      const packet = readPacket(bytes, this.#at);
      if (!packet) return undefined;
      this.#at = packet.end;
      if (!packet.payload) {
        const lines = this.#lines;
        this.#lines = [];
        return lines;
      }
      if (this.#lines.length >= this.#maxLines) throw new MalformedPacketError('too many packets');
      this.#lines.push(packet.payload.toString('utf8').replace(/\n$/, ''));
    }
  }
}
