import type { Repository } from '../access/find-repository.ts';
import { fullName } from '../access/requirements.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import { repositoryHtmlUrl } from '../repositories/urls.ts';

/** Headers by which mail programs sort the mails about a repository (RFC 2919), for filters made for Gitea and GitLab as well. */
export function repositoryHeaders({ settings }: Context, repository: Repository): Record<string, string> {
  const page = repositoryHtmlUrl(settings, repository);
  return {
    'List-ID': `${fullName(repository)} <${repository.name}.${repository.owner.name}.${settings.server.domain}>`,
    'List-Archive': `<${page}>`,
    'X-Gitea-Repository': repository.name,
    'X-Gitea-Repository-Path': fullName(repository),
    'X-Gitea-Repository-Link': page,
    'X-GitLab-Project': repository.name,
    'X-GitLab-Project-Path': fullName(repository),
  };
}

/** Headers that say who acted, who receives the mail and why, for filters made for Gitea, GitHub and GitLab. */
export function peopleHeaders(actor: User, recipient: User, reason?: string): Record<string, string> {
  const about = (prefix: string) => ({
    ...(reason !== undefined && { [`${prefix}-Reason`]: reason }),
    [`${prefix}-Sender`]: actor.name,
    [`${prefix}-Recipient`]: recipient.name,
    [`${prefix}-Recipient-Address`]: recipient.email,
  });
  return { ...about('X-Gitea'), ...about('X-GitHub'), ...(reason !== undefined && { 'X-GitLab-NotificationReason': reason }) };
}
