import { unprocessable } from '../http/errors.ts';

const RESERVED = ['.', '-'];
const ENDINGS = ['.wiki', '.git', '.rss', '.atom'];

/**
 * Whether a repository may have this name. Only ASCII can be in it, so that names that are equal but for case differ in
 * nothing else.
 * @param invalid what the message begins with for a malformed name
 * @throws HttpError 422
 */
export function checkRepositoryName(name: string, invalid = ''): void {
  const malformed = () =>
    unprocessable(`${invalid}name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters`);
  if (!/^[-.\w]{1,100}$/.test(name) || name.includes('..')) throw malformed();
  const lower = name.toLowerCase();
  if (RESERVED.includes(lower)) throw unprocessable(`name is reserved [name: ${lower}]`);
  const ending = ENDINGS.find((ending) => lower.endsWith(ending));
  if (ending) throw unprocessable(`name pattern is not allowed [pattern: *${ending}]`);
}
