import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import type { LfsTarget } from '../target.ts';
import { type LfsCredential, type LfsOperation, makeLfsToken } from '../tokens.ts';

/**
 * What `git-lfs-authenticate` prints: where large files are transferred over HTTP, and with what token
 * (https://github.com/git-lfs/git-lfs/blob/main/docs/api/server-discovery.md).
 * @param target of a caller who may do what the operation needs
 */
export function authenticate({ context, repository }: LfsTarget, operation: LfsOperation, credential: LfsCredential): string {
  const { token, expiresIn } = makeLfsToken(context, repository.id, operation, credential);
  return `${JSON.stringify({
    href: `${repositoryHtmlUrl(context.settings, repository)}.git/info/lfs`,
    header: { Authorization: `Bearer ${token}` },
    expires_in: expiresIn,
  })}\n`;
}
