import { type EditorRules, editorRules } from '../../../code/editorconfig/editorconfig.ts';
import type { Context } from '../../../context.ts';
import { HttpError, notFound } from '../../../http/errors.ts';
import type { View } from '../../view.ts';
import { type FileContent, MAX_SHOWN, readFile } from '../file/content.ts';
import type { EditLocation } from './location.ts';

/** The file that a form edits. */
export interface Original {
  /** The id of its blob. */
  readonly oid: string;
  /** Undefined if it cannot be edited as text. */
  readonly content: string | undefined;
  /** The reason why it cannot be edited. */
  readonly reason: string | undefined;
  readonly hasMark: boolean;
  readonly isExecutable: boolean;
  readonly endsWithReturns: boolean;
}

/** @throws HttpError 404 for an invalid file */
export async function readOriginal(
  context: Context,
  view: View,
  { repository, branch, commit, path, entry }: EditLocation,
): Promise<Original> {
  if (!commit || entry?.type !== 'blob') throw notFound();
  const file = await readFile(context, { repository, kind: 'branch', name: branch, commit, path }, entry);
  const reason = reasonAgainst(view, file);
  const content = reason === undefined ? file.decoded?.text : undefined;
  return {
    oid: entry.oid,
    content,
    reason,
    hasMark: file.decoded?.encoding === 'UTF-8 BOM',
    isExecutable: file.isExecutable,
    endsWithReturns: content !== undefined && /\r\n/.test(content) && !/(?<!\r)\n/.test(content),
  };
}

function reasonAgainst({ text: { edit: text } }: View, { decoded, isLink, lfs, size }: FileContent): string | undefined {
  if (isLink) return text.isLink;
  if (lfs) return text.isLargeFile;
  if (size > MAX_SHOWN) return text.isTooLarge;
  if (!decoded) return text.isBinary;
  return decoded.encoding.startsWith('UTF-8') ? undefined : text.isEncoded(decoded.encoding);
}

/** The bytes of a typed text: browsers send one kind of line ends, the file keeps its own. */
export function bytesOf(typed: string, { hasMark, endsWithReturns }: Pick<Original, 'hasMark' | 'endsWithReturns'>): Buffer {
  const lines = typed.replaceAll('\r\n', '\n');
  return Buffer.from((hasMark ? '\ufeff' : '') + (endsWithReturns ? lines.replaceAll('\n', '\r\n') : lines));
}

/** The rules of the branch's `.editorconfig` for a file; empty if it cannot be read. */
export async function rulesOf(context: Context, { repository, commit }: EditLocation, path: string): Promise<EditorRules> {
  try {
    return commit ? await editorRules(context, repository, commit, path) : {};
  } catch (error) {
    if (error instanceof HttpError) return {};
    throw error;
  }
}
