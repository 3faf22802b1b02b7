import { text } from 'node:stream/consumers';
import type { GitRepository } from '../repository.ts';
import { diffBetween } from './diff.ts';
import { type DiffHunk, parseDiff } from './patch-text.ts';

/** Limits of one comparison. */
const LIMITS = { timeoutMs: 60_000, maxOutput: 64 * 1024 * 1024 };

/** Returns the new number of a line of a file; `undefined` when it was removed or changed. */
export type LineMove = (path: string, line: number) => number | undefined;

/**
 * Maps lines of files from one commit to another, both with full ids. A renamed file counts as removed.
 * @param paths the files that will be requested
 * @throws GitLimitError if that takes too long
 */
export async function lineMoves(repository: GitRepository, from: string, to: string, paths: readonly string[]): Promise<LineMove> {
  const diff = await text(diffBetween(repository, from, to, { ...LIMITS, context: 0, paths }));
  const bounds = { maxFiles: paths.length * 2, maxLines: Number.MAX_SAFE_INTEGER, maxLineLength: 0 };
  const files = new Map(parseDiff(diff, bounds).files.map((file) => [file.oldPath, file]));
  return (path, line) => {
    const file = files.get(path);
    if (!file) return line;
    return file.binary || file.newPath !== path ? undefined : moved(file.hunks, line);
  };
}

function moved(hunks: readonly DiffHunk[], line: number): number | undefined {
  let shift = 0;
  for (const { oldStart, oldLines, newLines } of hunks) {
    // Without old lines, `oldStart` is the line that new ones were inserted after.
    if (line < oldStart || (oldLines === 0 && line === oldStart)) break;
    if (line < oldStart + oldLines) return undefined;
    shift += newLines - oldLines;
  }
  return line + shift;
}
