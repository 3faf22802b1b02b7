import type { Part } from './text.ts';

/** News as people in a chat are told them, whatever the service. */
export interface Item {
  kind: 'ref' | 'fork' | 'push' | 'issue' | 'comment' | 'pull' | 'review' | 'repository' | 'other';
  /** What happened. */
  headline: readonly Part[];
  /** Whether those who can be told by whom are to be told. */
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
