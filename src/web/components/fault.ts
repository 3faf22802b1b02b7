import { type Html, html } from '../html.ts';
import type { View } from '../view.ts';

/** A sentence about an error. The page begins there for keyboards and screen readers, unless a field is where people go on. */
export function fault({ text }: Pick<View, 'text'>, problem: string, options: { fieldFollows?: boolean } = {}): Html {
  return html`<p class="fault" role="alert"${!options.fieldFollows && html` tabindex="-1" autofocus`}>${problemText(text, problem)}</p>`;
}

/** What a rule says about a field of the API, such as `[Name]: MaxSize`, as a sentence; other messages as they are. */
export function problemText({ problems }: View['text'], problem: string): string {
  const [, field = '', rule = ''] = /^\[(\w+)\]: (\w+)$/.exec(problem) ?? [];
  const sentence = Object.hasOwn(problems, rule) ? problems[rule as keyof typeof problems] : undefined;
  return sentence === undefined ? problem : `${field}: ${sentence}`;
}
