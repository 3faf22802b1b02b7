import type { Context } from '../../context.ts';
import { findInMarkdown, findInText } from '../../markup/markup.ts';
import type { FoundNames } from '../../markup/references.ts';

const NOTHING: FoundNames = { mentions: [], references: [] };
/** A pattern that every mention and reference contains; most texts have none of them, and are not parsed. */
const MAY_NAME = /[#!@]\w|\/(?:issues|pulls)\/\d/;

/** The mentions and references of a Markdown text. */
export async function namesInMarkdown(context: Surroundings, text: string): Promise<FoundNames> {
  return MAY_NAME.test(text) ? findInMarkdown(text, surroundings(context)) : NOTHING;
}

/** The mentions and references of a plain text, such as a title or a commit message. */
export async function namesInText(context: Surroundings, text: string): Promise<FoundNames> {
  return MAY_NAME.test(text) ? findInText(text, surroundings(context)) : NOTHING;
}

type Surroundings = Pick<Context, 'settings' | 'workers'>;

function surroundings({ settings, workers }: Surroundings) {
  const { closeKeywords, reopenKeywords } = settings.issues;
  return { rootUrl: settings.server.rootUrl, settings: { closeKeywords, reopenKeywords }, workers };
}
