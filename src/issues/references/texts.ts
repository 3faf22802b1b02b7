import type { Context } from '../../context.ts';
import { findInMarkdown, findInText } from '../../markup/markup.ts';
import type { FoundNames } from '../../markup/references.ts';

const NOTHING: FoundNames = { mentions: [], references: [] };
/** What every mention and reference has; most texts have none of them, and are not parsed. */
const MAY_NAME = /[#!@]\w|\/(?:issues|pulls)\/\d/;

/** What a Markdown text names. */
export async function namesInMarkdown({ settings }: Pick<Context, 'settings'>, text: string): Promise<FoundNames> {
  return MAY_NAME.test(text) ? findInMarkdown(text, settings.server.rootUrl, keywords({ settings })) : NOTHING;
}

/** What a plain text names, such as a title or a commit message. */
export async function namesInText({ settings }: Pick<Context, 'settings'>, text: string): Promise<FoundNames> {
  return MAY_NAME.test(text) ? findInText(text, settings.server.rootUrl, keywords({ settings })) : NOTHING;
}

function keywords({ settings }: Pick<Context, 'settings'>) {
  return { closeKeywords: settings.issues.closeKeywords, reopenKeywords: settings.issues.reopenKeywords };
}
