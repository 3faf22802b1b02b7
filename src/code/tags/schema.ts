import { define, defineOption, nullable, optional, ref, string } from '../../http/schema.ts';
import { CommitMeta, CommitUser, PayloadCommitVerification } from '../commits/schema.ts';

/** A tag with its target. */
export const Tag = define(
  'Tag',
  {
    name: string({ description: 'The name of the tag.' }),
    message: string({ description: 'The message of the tag, or of the commit where the tag has none.' }),
    id: string({ description: 'The id of the tag object, or of the commit.' }),
    commit: nullable(ref(CommitMeta)),
    zipball_url: optional(string({ description: 'Where the files are as a zip archive.' })),
    tarball_url: optional(string({ description: 'Where the files are as a tar archive.' })),
  },
  { description: 'A tag.' },
);

/** The target of an annotated tag. */
export const AnnotatedTagObject = define(
  'AnnotatedTagObject',
  {
    type: string({ description: 'The kind of object: commit.' }),
    url: string({ description: 'The API URL of the object.' }),
    sha: string({ goName: 'SHA', description: 'Its id.' }),
  },
  { description: 'The object behind a tag.' },
);

/** The object of an annotated tag. */
export const AnnotatedTag = define(
  'AnnotatedTag',
  {
    tag: string({ description: 'The name of the tag.' }),
    sha: string({ goName: 'SHA', description: 'The id of the tag object.' }),
    url: string({ description: 'The API URL of the tag object.' }),
    message: string({ description: 'The message of the tag.' }),
    tagger: nullable(ref(CommitUser)),
    object: nullable(ref(AnnotatedTagObject)),
    verification: nullable(ref(PayloadCommitVerification)),
  },
  { description: 'An annotated tag.' },
);

/** A new tag. */
export const CreateTagOption = defineOption(
  'CreateTagOption',
  {
    tag_name: string({ maxLength: 255, description: 'The name of the new tag.' }),
    message: string({ description: 'The message of an annotated tag; without one it is a plain ref.' }),
    target: string({ maxLength: 1000, description: 'The branch, tag or commit; the default branch if left out.' }),
  },
  { required: ['tag_name'], description: 'A new tag.' },
);
