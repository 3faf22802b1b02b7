import type { Part } from './text.ts';

/** An event as a chat message, for any service. */
export interface Item {
  kind: 'ref' | 'fork' | 'push' | 'issue' | 'comment' | 'pull' | 'review' | 'repository' | 'other';
  /** The headline. */
  headline: readonly Part[];
  /** Whether services that can show the sender show it. */
  namesSender: boolean;
  /** The subject, if it is shorter than the headline. */
  title?: string;
  /** The text that a user wrote. */
  text: string;
  /** Where there is more. */
  url: string;
  /** The label of a button with the link. */
  button: string;
  color: number;
  /** One more thing to know, by its name. */
  fact?: { name: string; value: string };
}
