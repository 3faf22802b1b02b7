import { any, array, define, defineOption, int64, nullable, optional, ref, string, timestamp } from '../../http/schema.ts';
import { CommitMeta, CommitUser, PayloadCommitVerification } from '../commits/schema.ts';

/** The URLs of a file or folder. */
export const FileLinksResponse = define(
  'FileLinksResponse',
  {
    self: nullable(string({ description: 'The URL of this response.' })),
    git: nullable(string({ goName: 'GitURL', description: 'The blob or tree.' })),
    html: nullable(string({ goName: 'HTMLURL', description: 'The page.' })),
  },
  { description: 'Addresses of a file or folder.' },
);

/** A file, folder, symbolic link or submodule. */
export const ContentsResponse = define(
  'ContentsResponse',
  {
    name: string({ description: 'The name within its folder.' }),
    path: string({ description: 'The path from the root.' }),
    sha: string({ goName: 'SHA', description: 'The id of the blob, tree, or commit of a submodule.' }),
    last_commit_sha: optional(string({ goName: 'LastCommitSHA', description: 'The commit that last changed it.' })),
    last_committer_date: optional(timestamp({ description: 'When that commit was committed.' })),
    last_author_date: optional(timestamp({ description: 'When that commit was written.' })),
    last_commit_message: optional(string({ description: 'The message of that commit.' })),
    type: string({ description: 'file, dir, symlink or submodule.' }),
    size: int64({ description: 'Bytes of a file; 0 for others.' }),
    encoding: nullable(string({ description: 'base64 where the content is given, else null.' })),
    content: nullable(string({ description: 'The content of a single file, else null.' })),
    target: nullable(string({ description: 'Where a symbolic link points to, else null.' })),
    url: nullable(string({ description: 'The API URL of the file or folder.' })),
    html_url: nullable(string({ goName: 'HTMLURL', description: 'Its page.' })),
    git_url: nullable(string({ description: 'The API URL of the blob or tree.' })),
    download_url: nullable(string({ description: 'Where its bytes are.' })),
    submodule_git_url: nullable(string({ description: 'Where the repository of a submodule is, else null.' })),
    _links: nullable(ref(FileLinksResponse)),
    lfs_oid: optional(string({ description: 'The SHA-256 of the large file that this one stands for.' })),
    lfs_size: optional(int64({ description: 'Bytes of that large file.' })),
  },
  { description: 'A file, folder, symbolic link or submodule.' },
);

/** One file, or the contents of a folder. */
export const ContentsExtResponse = define(
  'ContentsExtResponse',
  {
    file_contents: optional(ref(ContentsResponse)),
    dir_contents: optional(array(ref(ContentsResponse), { description: 'The entries of the folder.' })),
  },
  { description: 'A file or the entries of a folder.' },
);

/** The requested files. */
export const GetFilesOptions = defineOption(
  'GetFilesOptions',
  { files: array(string(), { description: 'The paths of the files.' }) },
  { required: ['files'], described: [], description: 'The paths of the files to return.' },
);

/** A commit made by the API. */
export const FileCommitResponse = define(
  'FileCommitResponse',
  {
    url: string({ description: 'The API URL of the commit.' }),
    sha: string({ goName: 'SHA', description: 'The id of the commit.' }),
    created: timestamp({ description: 'When it was committed.' }),
    html_url: string({ goName: 'HTMLURL', description: 'The page of the commit.' }),
    author: nullable(ref(CommitUser)),
    committer: nullable(ref(CommitUser)),
    parents: array(ref(CommitMeta), { description: 'The commits that it builds on.' }),
    message: string({ description: 'The whole message.' }),
    tree: nullable(ref(CommitMeta)),
  },
  { description: 'The commit of a change to files.' },
);

/** A changed file and the commit that changed it. */
export const FileResponse = define(
  'FileResponse',
  {
    content: nullable(ref(ContentsResponse)),
    commit: nullable(ref(FileCommitResponse)),
    verification: nullable(ref(PayloadCommitVerification)),
  },
  { description: 'A changed file and its commit.' },
);

/** Changed files and the commit that changed them; null for a deleted file. */
export const FilesResponse = define(
  'FilesResponse',
  {
    files: nullable(array(nullable(ref(ContentsResponse)), { description: 'The changed files; null for deleted ones.' })),
    commit: nullable(ref(FileCommitResponse)),
    verification: nullable(ref(PayloadCommitVerification)),
  },
  { description: 'Changed files and their commit.' },
);

/** The commit that deleted a file. */
export const FileDeleteResponse = define(
  'FileDeleteResponse',
  {
    content: any({ description: 'Always null.' }),
    commit: nullable(ref(FileCommitResponse)),
    verification: nullable(ref(PayloadCommitVerification)),
  },
  { description: 'The commit that removed a file.' },
);
