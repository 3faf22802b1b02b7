import { type Html, html } from '../html.ts';

/** The title of an issue, a pull request or a milestone; text between backticks is shown as code. */
export function titleText(title: string): Html {
  return html`${title.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
