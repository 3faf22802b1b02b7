import { invalid } from '../errors.ts';

/** Limits of what is read of an archive that a user sent. */
export interface ArchiveLimits {
  /** Maximum number of entries. */
  readonly maxEntries: number;
  /** Size limit of an entry that is read into memory, in bytes. */
  readonly maxEntryBytes: number;
  /** Bytes that it may have without compression. */
  readonly maxBytes: number;
  /** Maximum compression ratio, beyond the first mebibyte. */
  readonly maxRatio: number;
  /** Time limit for reading it in milliseconds. */
  readonly timeoutMs: number;
}

/** Default limits for packages of all formats; a format declares others if it needs more. */
export const ARCHIVE_LIMITS: ArchiveLimits = {
  maxEntries: 100_000,
  maxEntryBytes: 4 * 1024 * 1024,
  maxBytes: 16 * 1024 ** 3,
  maxRatio: 1000,
  timeoutMs: 5 * 60_000,
};

/** Size from which the ratio counts: small files of zeros are common. */
const RATIO_FROM = 1024 * 1024;

/** Checks what is read of an archive against its limits. */
export class ArchiveBudget {
  readonly limits: ArchiveLimits;
  readonly #deadline: number;
  #entries = 0;
  #read = 0;
  #written = 0;

  constructor(limits: Partial<ArchiveLimits> = {}) {
    this.limits = { ...ARCHIVE_LIMITS, ...limits };
    this.#deadline = performance.now() + this.limits.timeoutMs;
  }

  /** @throws PackageError 400 */
  countEntry(): void {
    this.#entries++;
    if (this.#entries > this.limits.maxEntries) throw invalid(`the archive has more than ${this.limits.maxEntries} entries`);
    this.#checkTime();
  }

  /** Counts compressed bytes. */
  countRead(bytes: number): void {
    this.#read += bytes;
  }

  /**
   * Bytes without compression.
   * @throws PackageError 400
   */
  countWritten(bytes: number): void {
    this.#written += bytes;
    const { maxBytes, maxRatio } = this.limits;
    if (this.#written > maxBytes) throw invalid(`the archive has more than ${maxBytes} bytes`);
    if (this.#written > RATIO_FROM && this.#read > 0 && this.#written > this.#read * maxRatio) {
      throw invalid(`the archive is more than ${maxRatio} times as long without compression`);
    }
    this.#checkTime();
  }

  #checkTime(): void {
    if (performance.now() > this.#deadline) throw invalid('the archive takes too long to read');
  }
}
