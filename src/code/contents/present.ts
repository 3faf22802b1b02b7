import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Commit } from '../../git/objects/commits.ts';
import { identityTime } from '../../git/objects/identity.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../../repositories/urls.ts';
import { presentIdentityUtc } from '../commits/present.ts';
import { escapePath, escapeQuery } from '../escape-path.ts';
import type { CodeRevision } from '../revision.ts';
import type { Content } from './contents.ts';
import type { ContentsResponse, FileCommitResponse } from './schema.ts';

const TYPES = { file: 'file', folder: 'dir', link: 'symlink', submodule: 'submodule' } as const;

/** Returns a function that presents one file or folder of a revision; made once for a listing. */
export function contentPresenter(
  context: Context,
  repository: Repository,
  revision: CodeRevision,
): (content: Content) => Shape<typeof ContentsResponse> {
  const apiUrl = repositoryApiUrl(context.settings, repository);
  const htmlUrl = repositoryHtmlUrl(context.settings, repository);
  const urlRevision = `${revision.kind}/${escapePath(revision.name)}`;
  const query = `?ref=${escapeQuery(revision.name)}`;
  return (content) => {
    const { kind, commit } = content;
    const path = escapePath(content.path);
    const url = `${apiUrl}/contents/${path}${query}`;
    const isSubmodule = kind === 'submodule';
    const html = isSubmodule ? null : `${htmlUrl}/src/${urlRevision}/${path}`;
    const git = isSubmodule ? null : `${apiUrl}/git/blobs/${content.oid}`;
    return {
      name: content.name,
      path: content.path,
      sha: content.oid,
      ...(content.withDates &&
        commit && {
          last_commit_sha: commit.oid,
          last_committer_date: identityTime(commit.committer),
          last_author_date: identityTime(commit.author),
        }),
      ...(content.withMessage && commit && { last_commit_message: commit.message }),
      type: TYPES[kind],
      size: content.size,
      encoding: content.text === undefined ? null : 'base64',
      content: content.text ?? null,
      target: content.target ?? null,
      url,
      html_url: html,
      git_url: git,
      download_url: kind === 'file' || kind === 'link' ? `${htmlUrl}/raw/${urlRevision}/${path}` : null,
      submodule_git_url: content.submoduleUrl || null,
      _links: { self: url, git, html },
      ...(content.lfs && { lfs_oid: content.lfs.oid, lfs_size: content.lfs.size }),
    };
  };
}

/** The commit of a change on the wire. */
export function presentFileCommit(context: Context, repository: Repository, commit: Commit): Shape<typeof FileCommitResponse> {
  const apiUrl = repositoryApiUrl(context.settings, repository);
  return {
    url: `${apiUrl}/git/commits/${commit.oid}`,
    sha: commit.oid,
    created: wireTime(null),
    html_url: `${repositoryHtmlUrl(context.settings, repository)}/commit/${commit.oid}`,
    author: presentIdentityUtc(commit.author),
    committer: presentIdentityUtc(commit.committer),
    parents: commit.parents.map((sha) => ({ url: `${apiUrl}/git/commits/${sha}`, sha, created: wireTime(null) })),
    message: commit.message,
    tree: { url: `${apiUrl}/git/trees/${commit.tree}`, sha: commit.tree, created: wireTime(null) },
  };
}
