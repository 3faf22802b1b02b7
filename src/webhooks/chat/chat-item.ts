import type { Part } from './text.ts';

/** An event as a chat message, for any service. */
export interface Item {
  kind: 'ref' | 'fork' | 'push' | 'issue' | 'comment' | 'pull' | 'review' | 'repository' | 'other';
  /** What happened. */
  headline: readonly Part[];
  /** Whether services that can show the sender show it. */
  namesSender: boolean;
  /** What it is about, where that is less than the headline. */
  title?: string;
  /** What somebody wrote. */
  text: string;
  /** Where there is more. */
  url: string;
  /** What a button that leads there says. */
  button: string;
  color: number;
  /** One more thing to know, by its name. */
  fact?: { name: string; value: string };
}
