import { unprocessable } from '../http/errors.ts';
import type { Settings } from '../settings.ts';

/** Words that are, or may become, paths of the instance itself. */
const RESERVED = new Set([
  ...['.', '..', '.well-known', 'api', 'assets', 'attachments', 'avatar', 'avatars', 'captcha', 'explore', 'favicon.ico', 'ghost'],
  ...['gitea-actions', 'issues', 'login', 'manifest.json', 'metrics', 'milestones', 'notifications', 'org', 'pulls', 'repo'],
  ...['repo-avatars', 'robots.txt', 'sitemap.xml', 'ssh_info', 'swagger.v1.json', 'user', 'v2'],
]);
const PATTERNS = ['.keys', '.gpg', '.rss', '.atom', '.png'];

/**
 * Validates the name of a user or an organization: letters, digits, `-`, `_` and `.`, not two of the
 * latter in a row or at an end, and no word that is a path of the instance itself.
 * @throws HttpError 422
 */
export function checkAccountName(settings: Settings, name: string): void {
  if (!/^[\da-zA-Z][-.\w]*$/.test(name) || /[-._]{2,}|[-._]$/.test(name) || name.length > 40) {
    throw unprocessable(`name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters`);
  }
  const lower = name.toLowerCase();
  const reserved = RESERVED.has(lower) || settings.users.reservedNames.some((name) => name.toLowerCase() === lower);
  if (reserved) throw unprocessable(`name is reserved [name: ${lower}]`);
  const pattern = PATTERNS.find((ending) => lower.endsWith(ending));
  if (pattern) throw unprocessable(`name pattern is not allowed [pattern: *${pattern}]`);
}

const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const LOCAL = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]*";
const ADDRESS = new RegExp(`^${LOCAL}@${LABEL}(?:\\.${LABEL})*$`);

/** The error of an e-mail address, by RFC 5322 without its rarer forms; undefined for a valid one. */
export function emailFault(email: string): string | undefined {
  const invalid = `e-mail invalid [email: ${email}]`;
  if (email === '' || email.length > 254) return invalid;
  if (!ADDRESS.test(email)) return `e-mail address contains unsupported character [email: ${email}]`;
  return /^[-.@]|\.\.|\.@/.test(email) ? invalid : undefined;
}

/** @throws HttpError 422 */
export function checkEmail(email: string): void {
  const fault = emailFault(email);
  if (fault) throw unprocessable(fault);
}

/** Whether e-mail addresses of this domain may register, by the instance's lists. */
export function isEmailDomainAllowed({ registration }: Settings, email: string): boolean {
  const { allowedEmailDomains, blockedEmailDomains } = registration;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const isListed = (patterns: readonly string[]) => patterns.some((pattern) => domainMatches(domain, pattern.toLowerCase()));
  return allowedEmailDomains.length > 0 ? isListed(allowedEmailDomains) : !isListed(blockedEmailDomains);
}

function domainMatches(domain: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return domain === pattern;
  const last = rest.pop() ?? '';
  if (!domain.startsWith(first) || !domain.endsWith(last) || domain.length < first.length + last.length) return false;
  // The parts between the stars are searched from left to right: without a regular expression that could run away.
  let at = first.length;
  for (const part of rest) {
    const found = domain.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= domain.length - last.length;
}
