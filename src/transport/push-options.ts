import type { Repository } from '../access/find-repository.ts';
import type { RepositoryAccess } from '../access/repository-access.ts';
import { type Context, inTransaction } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { changeVisibility } from '../repositories/edit/visibility.ts';

const MAX_OPTIONS = 100;
const MAX_LENGTH = 4096;

/** The options of `git push -o name=value`; a name without a value means `true`. The last of several values counts. */
export function readPushOptions(options: readonly string[]): Record<string, string> {
  const read: Record<string, string> = {};
  for (const option of options.slice(0, MAX_OPTIONS)) {
    if (option.length > MAX_LENGTH) continue;
    const at = option.indexOf('=');
    const name = (at < 0 ? option : option.slice(0, at)).trim();
    if (name !== '' && name !== '__proto__') read[name] = at < 0 ? 'true' : option.slice(at + 1);
  }
  return read;
}

/**
 * Applies `repo.private` and `repo.template`, by the rules of an edit. They are for the push that makes a repository, but taken with any.
 * @returns a line for the user if it is refused
 */
export async function applyPushOptions(
  context: Context,
  repository: Repository,
  access: RepositoryAccess,
  options: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const isPrivate = readTruth(options['repo.private']);
  const isTemplate = readTruth(options['repo.template']);
  if (isPrivate === undefined && isTemplate === undefined) return undefined;
  if (!access.isAdmin) return 'error: Permissions denied';
  try {
    await inTransaction(context, async (context) => {
      if (isTemplate !== undefined) {
        await context.db.updateTable('repositories').set({ is_template: isTemplate }).where('id', '=', repository.id).execute();
      }
      if (isPrivate !== undefined) await changeVisibility(context, repository, isPrivate);
    });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return `error: ${error.message}`;
  }
  return undefined;
}

/** The value of a boolean option: true if its value is empty, undefined if it is invalid. */
function readTruth(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (/^(1|t|true|)$/i.test(text)) return true;
  return /^(0|f|false)$/i.test(text) ? false : undefined;
}
