import { issueHtmlUrl } from '../issues/urls.ts';
import type { Settings } from '../settings.ts';
import { joined } from '../text/joined.ts';
import type { Pull } from './find.ts';

/** The URL of the page of a pull request. */
export function pullHtmlUrl(settings: Settings, { issue }: Pick<Pull, 'issue'>): string {
  return issueHtmlUrl(settings, issue);
}

/** The URL of the changes of a pull request, as a diff or as mails. */
export function pullDiffUrl(settings: Settings, pull: Pick<Pull, 'issue'>, format: 'diff' | 'patch'): string {
  return joined(pullHtmlUrl(settings, pull), '.', format);
}
