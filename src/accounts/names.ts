import { unprocessable } from '../http/errors.ts';
import type { Settings } from '../settings.ts';

/** Words that are, or may become, addresses of the instance itself. */
const RESERVED = new Set([
  ...['.', '..', '.well-known', 'api', 'assets', 'attachments', 'avatar', 'avatars', 'captcha', 'explore', 'favicon.ico', 'ghost'],
  ...['gitea-actions', 'issues', 'login', 'manifest.json', 'metrics', 'milestones', 'notifications', 'org', 'pulls', 'repo'],
  ...['repo-avatars', 'robots.txt', 'sitemap.xml', 'ssh_info', 'swagger.v1.json', 'user', 'v2'],
]);
const PATTERNS = ['.keys', '.gpg', '.rss', '.atom', '.png'];

/**
 * Whether a name may be given to a user or an organization: letters, digits, `-`, `_` and `.`, not two of the
 * latter in a row nor at an end, and no word that is an address of the instance itself.
 * @throws HttpError 422
 */
export function checkAccountName(settings: Settings, name: string): void {
  if (!/^[\da-zA-Z][-.\w]*$/.test(name) || /[-._]{2,}|[-._]$/.test(name) || name.length > 40) {
    throw unprocessable(`name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters`);
  }
  const lower = name.toLowerCase();
  const reserved = RESERVED.has(lower) || settings.users.reservedNames.some((name) => name.toLowerCase() === lower);
  if (reserved) throw unprocessable(`name is reserved [name: ${name}]`);
  const pattern = PATTERNS.find((ending) => lower.endsWith(ending));
  if (pattern) throw unprocessable(`name pattern is not allowed [pattern: *${pattern}]`);
}

/** @throws HttpError 422 */
export function checkEmail(email: string): void {
  if (!/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*$/.test(email) || email.startsWith('-') || email.length > 254) {
    throw unprocessable(`e-mail invalid [email: ${email}]`);
  }
}
