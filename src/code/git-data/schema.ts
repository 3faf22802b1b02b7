import { array, boolean, define, int64, nullable, optional, ref, string } from '../../http/schema.ts';
import { Commit } from '../commits/schema.ts';

/** An object of git. */
export const GitObject = define(
  'GitObject',
  {
    type: string({ description: 'commit, tag, tree or blob.' }),
    sha: string({ goName: 'SHA', description: 'The id of the object.' }),
    url: string({ description: 'The API URL of the object.' }),
  },
  { description: 'An object that a ref points to.' },
);

/** A ref and what it points to. */
export const Reference = define(
  'Reference',
  {
    ref: string({ description: 'The whole name, as in refs/heads/main.' }),
    url: string({ description: 'The API URL of the ref.' }),
    object: nullable(ref(GitObject)),
  },
  { description: 'A ref.' },
);

/** An entry of a tree. */
export const GitEntry = define(
  'GitEntry',
  {
    path: string({ description: 'The path from the requested tree.' }),
    mode: string({ description: 'The mode, as six octal digits.' }),
    type: string({ description: 'blob, tree, or commit for a submodule.' }),
    size: int64({ description: 'Bytes of a blob; 0 for other objects.' }),
    sha: string({ goName: 'SHA', description: 'The id of the object.' }),
    url: string({ description: 'The API URL of the object; empty for a submodule.' }),
  },
  { description: 'An entry of a tree.' },
);

/** A page of a tree. */
export const GitTreeResponse = define(
  'GitTreeResponse',
  {
    sha: string({ goName: 'SHA', description: 'The id of the tree, or of the commit or tag by which it was found.' }),
    url: string({ description: 'The API URL of the tree.' }),
    tree: nullable(array(ref(GitEntry), { goName: 'Entries', description: 'The entries of the page; null beyond the last one.' })),
    truncated: boolean({ description: 'Whether entries follow after this page.' }),
    page: int64({ description: 'The number of the page, from 1 on.' }),
    total_count: int64({ description: 'The entries of all pages.' }),
  },
  { description: 'The entries of a tree.' },
);

/** A blob with its content. */
export const GitBlobResponse = define(
  'GitBlobResponse',
  {
    content: nullable(string({ description: 'The bytes in base64; null if there are too many of them.' })),
    encoding: nullable(string({ description: 'base64, or null without content.' })),
    url: string({ description: 'The API URL of the blob.' }),
    sha: string({ goName: 'SHA', description: 'The id of the blob.' }),
    size: int64({ description: 'Bytes.' }),
    lfs_oid: optional(string({ description: 'The SHA-256 of the large file that this one stands for.' })),
    lfs_size: optional(int64({ description: 'Bytes of that large file.' })),
  },
  { description: 'The content of a file.' },
);

/** A note and the commit that wrote it. */
export const Note = define(
  'Note',
  {
    message: string({ description: 'What was noted.' }),
    commit: nullable(ref(Commit)),
  },
  { description: 'What somebody noted on a commit.' },
);
