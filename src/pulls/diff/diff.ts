import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { diffBetween, patchesBetween } from '../../git/diff/diff.ts';
import { ownBytes } from '../../text/own-bytes.ts';
import type { Pull } from '../find.ts';
import { branchTip } from '../heads/tips.ts';

/** Diffs up to this size, in bytes, are cached. */
const MAX_KEPT = 1024 * 1024;

/** The changes of a pull request as one diff, or as mails of its commits. */
export type PullDiffFormat = 'diff' | 'binary-diff' | 'patch';

/** The changes of a pull request in a form that git applies. Large ones are streamed and never held in memory. */
export async function pullDiff(context: Context, pull: Pull, format: PullDiffFormat): Promise<Buffer | Readable> {
  const { pool } = context.git;
  const folder = context.git.locate(pull.issue.repository);
  const from = pull.merge_base || (await branchTip(context, pull.issue.repository, pull.base_branch));
  if (from === undefined) return Buffer.alloc(0);
  const key = `pull-${format} ${from} ${pull.head_id}`;
  const cached = pool.cache.get<Buffer>(folder, key);
  if (cached) return cached;
  const source =
    format === 'patch'
      ? patchesBetween(folder, from, pull.head_id)
      : diffBetween(folder, from, pull.head_id, { binary: format === 'binary-diff' });
  return caching(source, (bytes) => pool.cache.set(folder, key, bytes, bytes.length));
}

/** Passes data through, and calls `keep` with all of it at the end if it was small. */
function caching(source: Readable, keep: (bytes: Buffer) => void): Readable {
  const output = new PassThrough();
  let chunks: Buffer[] | undefined = [];
  let size = 0;
  const watched = async function* (input: AsyncIterable<Buffer>) {
    for await (const chunk of input) {
      size += chunk.length;
      if (size > MAX_KEPT) chunks = undefined;
      chunks?.push(chunk);
      yield chunk;
    }
    if (chunks) keep(ownBytes(Buffer.concat(chunks)));
  };
  // A failure is the error of the output, and a reader that stops ends the source.
  pipeline(source, watched, output).catch((error: Error) => output.destroy(error));
  return output;
}
