import type { MarkupSettings } from '../context.ts';
import type { Span } from './patterns.ts';

/** What a word before a reference does to the issue. */
export type ReferenceAction = 'closes' | 'reopens';

const CLOSE = ['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved'];
const REOPEN = ['reopen', 'reopens', 'reopened'];

/** Words that close or reopen an issue when they stand right before its reference. */
export class Keywords {
  readonly #close: RegExp | undefined;
  readonly #reopen: RegExp | undefined;

  constructor(settings: MarkupSettings | undefined) {
    this.#close = pattern(settings?.closeKeywords ?? CLOSE);
    this.#reopen = pattern(settings?.reopenKeywords ?? REOPEN);
  }

  /** The word that ends, with a blank, where the reference at `start` begins. */
  before(text: string, start: number): (Span & { action: ReferenceAction }) | undefined {
    // No keyword is longer than the window; at its cut edge `^` finds nothing wrong, as a letter stands there at most.
    const from = Math.max(0, start - 64);
    const window = text.slice(from, start);
    for (const [action, words] of [
      ['closes', this.#close],
      ['reopens', this.#reopen],
    ] as const) {
      const place = words?.exec(window)?.indices?.[1];
      if (place) return { start: from + place[0], end: from + place[1], action };
    }
    return undefined;
  }
}

const compiled = new Map<string, RegExp>();

function pattern(words: readonly string[]): RegExp | undefined {
  const valid = words.map((word) => word.trim().toLowerCase()).filter((word) => /^\p{L}+$/u.test(word));
  if (valid.length === 0) return undefined;
  const key = valid.join('|');
  let made = compiled.get(key);
  if (!made) {
    made = new RegExp(`(?:[\\t\\n\\f\\r ]|^|\\(|\\[)(${key}):? $`, 'id');
    compiled.set(key, made);
  }
  return made;
}
