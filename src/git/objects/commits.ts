import { ownText } from '../../text/own-text.ts';
import type { GitRepository } from '../repository.ts';
import { type Identity, NOBODY, parseIdentity } from './identity.ts';
import type { GitObject } from './object.ts';
import type { GitPool } from './objects.ts';
import { type ObjectSignature, takeSignatureHeader } from './signature.ts';
import { decodeMessage, decodeText } from './text.ts';

/** A commit object. */
export interface Commit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Identity;
  readonly committer: Identity;
  /** The whole message, unchanged. */
  readonly message: string;
  /** The signature and what it signs, if it is signed. */
  readonly signature: ObjectSignature | undefined;
}

/** Length limit of a summary in characters: lists show many of them. */
const MAX_SUMMARY = 1000;

/** The first line of a message, or the beginning of a very long one. */
export function summary(message: string): string {
  const line = message.trim().split('\n', 1)[0] ?? '';
  // Not within a character of two units.
  return line.length > MAX_SUMMARY ? line.slice(0, MAX_SUMMARY).replace(/[\uD800-\uDBFF]$/, '') : line;
}

/** The commit of this full id; `undefined` if there is none or the object is not a commit. */
export function readCommit(repository: GitRepository, pool: GitPool, oid: string): Promise<Commit | undefined> {
  return pool.parsed(repository, 'commit', oid, (object) => ({ value: parseCommit(object), bytes: 700 + 3 * object.size }));
}

/** How many commits are read at once, and the size limit of one list in bytes. */
const READ_BATCH = 25;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

/**
 * Several commits, in the order of their ids. Ids of other objects are left out, and so are all commits after the first 16 MiB.
 */
export async function readCommits(repository: GitRepository, pool: GitPool, oids: readonly string[]): Promise<Commit[]> {
  const commits: Commit[] = [];
  let left = MAX_LIST_BYTES;
  for (let at = 0; at < oids.length && left > 0; at += READ_BATCH) {
    const read = await Promise.all(oids.slice(at, at + READ_BATCH).map((oid) => readCommit(repository, pool, oid)));
    for (const commit of read) {
      left -= commit ? sizeOf(commit) : 0;
      if (commit && left > 0) commits.push(commit);
    }
  }
  return commits;
}

function sizeOf({ message, parents, signature }: Commit): number {
  return 500 + message.length * (signature ? 2 : 1) + 50 * parents.length;
}

/** Parses a commit object: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects#_git_commit_objects */
export function parseCommit(object: Pick<GitObject, 'oid' | 'data'>): Commit {
  const { oid, data } = object;
  const headerEnd = data.indexOf('\n\n');
  const end = headerEnd === -1 ? data.length : headerEnd + 1;
  const message = data.subarray(headerEnd === -1 ? data.length : headerEnd + 2);
  const header = data.subarray(0, end);
  const encoding = /^encoding (.+)$/m.exec(header.toString('latin1'))?.[1] ?? '';
  let tree = '';
  const parents: string[] = [];
  let author = NOBODY;
  let committer = NOBODY;
  let signed = false;
  for (const line of decodeText(header, encoding).split('\n')) {
    const space = line.indexOf(' ');
    const value = line.slice(space + 1);
    switch (line.slice(0, space)) {
      case 'tree':
        tree ||= ownText(value);
        break;
      case 'parent':
        parents.push(ownText(value));
        break;
      case 'author':
        author = parseIdentity(value);
        break;
      case 'committer':
        committer = parseIdentity(value);
        break;
      case 'gpgsig':
      case 'gpgsig-sha256':
        signed = true;
        break;
    }
  }
  const signature = signed ? takeSignatureHeader(data) : undefined;
  return { oid, tree, parents, author, committer, message: decodeMessage(message, encoding), signature };
}
