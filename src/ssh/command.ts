/** What a client requests on a session. */
export type SessionCommand =
  | { readonly kind: 'greeting' }
  | { readonly kind: 'info' }
  | { readonly kind: 'service'; readonly name: string; readonly owner: string; readonly repository: string; readonly operation: string };

/** A command that is not served. The message is sent to the client. */
export class RefusedCommandError extends Error {
  override readonly name = 'RefusedCommandError';
}

/** Longest command: a path of 4 KiB, quoted, with the name before and an operation after it. */
const MAX_LENGTH = 16_384;
const MAX_WORDS = 10;

/**
 * Reads a command such as `git-upload-pack '/owner/name.git'`; an empty one requests a shell. No part of it is ever
 * given to a shell, or to git as an option.
 * @throws RefusedCommandError
 */
export function parseCommand(text: string): SessionCommand {
  if (text.length > MAX_LENGTH || /[\x00-\x1f\x7f]/.test(text)) throw new RefusedCommandError('Error parsing arguments');
  const [name, path, operation = ''] = splitWords(text);
  if (name === undefined) return { kind: 'greeting' };
  if (path === undefined) {
    if (text === 'ssh_info') return { kind: 'info' };
    throw new RefusedCommandError('Too few arguments');
  }
  const [, owner, repository] = /^\/?([^/]+)\/(.+)$/.exec(path) ?? [];
  if (owner === undefined || repository === undefined) throw new RefusedCommandError('Invalid repository path');
  if (!/^[\w.-]+$/.test(repository.replace(/\.git$/, ''))) throw new RefusedCommandError('Invalid repo name');
  return { kind: 'service', name, owner, repository, operation };
}

/** Splits as a shell does. Only quotes and backslashes are special. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  // A quoted part ends at its own quote; within double quotes a backslash escapes `$`, a backtick, a quote or itself.
  const part = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(.)/gy;
  let word: string | undefined;
  for (const [whole, single, double, escaped, plain, stray] of text.matchAll(part)) {
    if (stray !== undefined) throw new RefusedCommandError('Error parsing arguments');
    if (/^\s/.test(whole)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (single ?? double?.replace(/\\([$`"\\])/g, '$1') ?? escaped ?? plain ?? '');
  }
  if (word !== undefined) words.push(word);
  if (words.length > MAX_WORDS) throw new RefusedCommandError('Error parsing arguments');
  return words;
}
