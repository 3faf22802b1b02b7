import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';
import { refusalSentence } from './refusal.ts';

/** A sentence about an error. The page begins there for keyboards and screen readers, unless a field is where people go on. */
export function fault({ text }: Pick<View, 'text'>, problem: string, options: { fieldFollows?: boolean } = {}): Html {
  return html`<p class="fault" role="alert"${!options.fieldFollows && html` tabindex="-1" autofocus`}>${problemText(text, problem)}</p>`;
}

/**
 * The message of a rule in the words of the pages: about a field of the API, such as `[Name]: MaxSize`, or one that the catalogue has a
 * sentence for. Other messages are shown as they are.
 */
export function problemText({ problems, refusals }: View['text'], problem: string): string {
  const [, field = '', rule = ''] = /^\[(\w+)\]: (\w+)$/.exec(problem) ?? [];
  if (Object.hasOwn(problems, rule)) return `${field}: ${problems[rule as keyof typeof problems]}`;
  return refusalSentence(refusals, problem) ?? problem;
}
