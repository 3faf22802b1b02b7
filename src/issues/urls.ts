import { repositoryApiUrl, repositoryHtmlUrl } from '../repositories/urls.ts';
import type { Settings } from '../settings.ts';
import { joined } from '../text/joined.ts';
import type { Issue } from './find.ts';

type Addressed = Pick<Issue, 'number' | 'is_pull' | 'repository'>;

/** The URL of the page of an issue or pull request. */
export function issueHtmlUrl(settings: Settings, { repository, number, is_pull: isPull }: Addressed): string {
  return joined(repositoryHtmlUrl(settings, repository), isPull ? '/pulls/' : '/issues/', number);
}

/** The API URL of an issue; a pull request has one as an issue, too. */
export function issueApiUrl(settings: Settings, { repository, number }: Addressed): string {
  return joined(repositoryApiUrl(settings, repository), '/issues/', number);
}
