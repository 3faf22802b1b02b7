import { unprocessable } from '../http/errors.ts';

const RESERVED = ['.', '-'];
const ENDINGS = ['.wiki', '.git', '.rss', '.atom'];

/**
 * Validates the name of a repository. Only ASCII is allowed, so that names that are equal except for case differ in
 * nothing else.
 * @param invalid the beginning of the message for a malformed name
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
