import { User } from '../../accounts/users/schema.ts';
import { array, boolean, define, defineOption, int64, nullable, ref, string, timestamp } from '../../http/schema.ts';

/** A person in a push or a hook, as in the commit. */
export const PayloadUser = define(
  'PayloadUser',
  {
    name: string({ description: 'The name that the commit has.' }),
    email: string({ description: 'The e-mail address in the commit, which may be any text.' }),
    username: string({ goName: 'UserName', description: 'The account with that e-mail address; empty if there is none.' }),
  },
  { description: 'Who wrote or committed a commit.' },
);

/** The verification of a signature. */
export const PayloadCommitVerification = define(
  'PayloadCommitVerification',
  {
    verified: boolean({ description: 'The signature is good and its key belongs to a user.' }),
    reason: string({ description: 'Whose key it is, or why the signature is not verified.' }),
    signature: string({ description: 'The signature as it stands in the commit.' }),
    signer: nullable(ref(PayloadUser)),
    payload: string({ description: 'What has been signed.' }),
  },
  { description: 'Whether a commit is signed, and by whom.' },
);

/** A commit in pushes, hooks and branches. */
export const PayloadCommit = define(
  'PayloadCommit',
  {
    id: string({ description: 'The id of the commit.' }),
    message: string({ description: 'The whole message.' }),
    url: string({ description: 'The page of the commit.' }),
    author: nullable(ref(PayloadUser)),
    committer: nullable(ref(PayloadUser)),
    verification: nullable(ref(PayloadCommitVerification)),
    timestamp: timestamp({ description: 'When it was written.' }),
    added: nullable(array(string(), { description: 'The files that came.' })),
    removed: nullable(array(string(), { description: 'The files that went.' })),
    modified: nullable(array(string(), { description: 'The files that changed.' })),
  },
  { description: 'A commit in short.' },
);

/** A reference to a commit or a tree. */
export const CommitMeta = define(
  'CommitMeta',
  {
    url: string({ description: 'The API URL of the commit or tree.' }),
    sha: string({ goName: 'SHA', description: 'Its id.' }),
    created: timestamp({ description: 'When it was committed.' }),
  },
  { description: 'A commit or a tree by its id.' },
);

/** The author of a commit or a tag, with the time. */
export const CommitUser = define(
  'CommitUser',
  {
    name: string({ description: 'The name in the commit.' }),
    email: string({ description: 'The e-mail address in the commit, which may be any text.' }),
    date: string({ description: 'When, as RFC 3339.' }),
  },
  { description: 'A person with a time, as in commits.' },
);

/** The author or committer to use. */
export const Identity = defineOption(
  'Identity',
  {
    name: string({ maxLength: 100, description: 'The name.' }),
    email: string({ format: 'email', maxLength: 254, description: 'The e-mail address.' }),
  },
  { description: 'A person in a commit.' },
);

/** The contents of the commit object itself. */
export const RepoCommit = define(
  'RepoCommit',
  {
    url: string({ description: 'The API URL of the commit.' }),
    author: nullable(ref(CommitUser)),
    committer: nullable(ref(CommitUser)),
    message: string({ description: 'The whole message.' }),
    tree: nullable(ref(CommitMeta)),
    verification: nullable(ref(PayloadCommitVerification)),
  },
  { description: 'The content of a commit.' },
);

/** The number of changed lines of a commit. */
export const CommitStats = define(
  'CommitStats',
  {
    total: int64({ description: 'Lines added and removed together.' }),
    additions: int64({ description: 'Lines added.' }),
    deletions: int64({ description: 'Lines removed.' }),
  },
  { description: 'Changed lines.' },
);

/** A file that a commit changed. */
export const CommitAffectedFiles = define(
  'CommitAffectedFiles',
  {
    filename: string({ description: 'The path of the file.' }),
    status: string({ description: 'added, removed or modified.' }),
  },
  { description: 'A changed file.' },
);

/** A commit with all its parts. */
export const Commit = define(
  'Commit',
  {
    url: string({ description: 'The API URL of the commit.' }),
    sha: string({ goName: 'SHA', description: 'The id of the commit.' }),
    created: timestamp({ description: 'When it was committed.' }),
    html_url: string({ goName: 'HTMLURL', description: 'The page of the commit.' }),
    commit: nullable(ref(RepoCommit)),
    author: nullable(ref(User)),
    committer: nullable(ref(User)),
    parents: array(ref(CommitMeta), { description: 'The commits that it builds on.' }),
    files: nullable(array(ref(CommitAffectedFiles), { description: 'The files that it changed, seen from the first parent.' })),
    stats: nullable(ref(CommitStats)),
  },
  { description: 'A commit.' },
);
