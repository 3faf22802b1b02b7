import { CommitUser } from '../code/commits/schema.ts';
import { array, define, defineOption, int64, nullable, ref, string } from '../http/schema.ts';

/** A commit of a wiki. The name of its third field is as clients know it. */
export const WikiCommit = define(
  'WikiCommit',
  {
    sha: string({ goName: 'ID', description: 'The id of the commit.' }),
    author: nullable(ref(CommitUser)),
    commiter: nullable(ref(CommitUser, { goName: 'Committer' })),
    message: string({ description: 'What it says.' }),
  },
  { description: 'A change of a wiki.' },
);

const metaData = {
  title: string({ description: 'The title of the page.' }),
  html_url: string({ goName: 'HTMLURL', description: 'The page for people.' }),
  sub_url: string({ goName: 'SubURL', description: 'The name of the page in addresses.' }),
  last_commit: nullable(ref(WikiCommit)),
};

/** A page in a list. */
export const WikiPageMetaData = define('WikiPageMetaData', metaData, { description: 'A page of a wiki without its text.' });

/** A page with its text and the other parts of its display. */
export const WikiPage = define(
  'WikiPage',
  {
    ...metaData,
    content_base64: string({ description: 'The text in base64; empty where it is too large.' }),
    commit_count: int64({ description: 'How many commits changed it.' }),
    sidebar: string({ description: 'The text of the page _Sidebar in base64.' }),
    footer: string({ description: 'The text of the page _Footer in base64.' }),
  },
  { description: 'A page of a wiki.' },
);

/** The commits that changed a page. */
export const WikiCommitList = define(
  'WikiCommitList',
  {
    commits: array(ref(WikiCommit), { goName: 'WikiCommits', description: 'One page of them, the newest first.' }),
    count: int64({ description: 'How many there are.' }),
  },
  { description: 'Changes of a page.' },
);

/** The input that creates or changes a page. */
export const CreateWikiPageOptions = defineOption(
  'CreateWikiPageOptions',
  {
    title: string({ description: 'The title; that of an existing page stays when it is left out.' }),
    content_base64: string({ description: 'The text in base64; that of an existing page stays when it is left out.' }),
    message: string({ description: 'What the commit says.' }),
  },
  { description: 'A page of a wiki.' },
);
