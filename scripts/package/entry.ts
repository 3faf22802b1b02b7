/** What an archive holds, in memory. */
export interface Entry {
  /** Relative to the folder that the archive unpacks to, with slashes. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly isExecutable: boolean;
  /** Where a symbolic link leads to; its content is empty. */
  readonly link?: string;
}

/** An entry of a text. */
export function textEntry(path: string, text: string): Entry {
  return { path, content: Buffer.from(text), isExecutable: false };
}
