/** Something that is not as it should be, and what repairs it, if anything does. */
export interface Finding {
  /** A line for the terminal. */
  readonly text: string;
  readonly fix?: () => Promise<void>;
  /** The fix removes content that nothing refers to: done only with an option of its own. */
  readonly removes?: boolean;
}
