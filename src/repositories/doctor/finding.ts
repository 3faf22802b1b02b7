/** An inconsistency, and how to repair it, if possible. */
export interface Finding {
  /** A line for the terminal. */
  readonly text: string;
  readonly fix?: () => Promise<void>;
  /** The fix deletes unreferenced content: only done with a separate option. */
  readonly removes?: boolean;
}
