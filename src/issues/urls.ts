import { repositoryApiUrl, repositoryHtmlUrl } from '../repositories/urls.ts';
import type { Settings } from '../settings.ts';
import { joined } from '../text/joined.ts';
import type { Issue } from './find.ts';

type Addressed = Pick<Issue, 'number' | 'is_pull' | 'repository'>;

/** The page of an issue or pull request. */
export function issueHtmlUrl(settings: Settings, { repository, number, is_pull: isPull }: Addressed): string {
  return joined(repositoryHtmlUrl(settings, repository), isPull ? '/pulls/' : '/issues/', number);
}

/** The address of an issue in the interface; a pull request has one as an issue, too. */
export function issueApiUrl(settings: Settings, { repository, number }: Addressed): string {
  return joined(repositoryApiUrl(settings, repository), '/issues/', number);
}
