import { array, boolean, defineOption, ref, string, timestamp } from '../../http/schema.ts';
import { Identity } from '../commits/schema.ts';

/** The dates of a commit. */
export const CommitDateOptions = defineOption(
  'CommitDateOptions',
  {
    author: timestamp({ description: 'When it was written; now if left out.' }),
    committer: timestamp({ description: 'When it was committed; now if left out.' }),
  },
  { description: 'The dates of a commit.' },
);

/** The fields of every change of files. */
const fileOptions = () => ({
  message: string({ description: 'The message of the commit; the default describes the changes.' }),
  branch: string({
    maxLength: 100,
    rule: 'GitRefName',
    goName: 'BranchName',
    description: 'The branch to begin from; the default branch if left out.',
  }),
  new_branch: string({
    maxLength: 100,
    rule: 'GitRefName',
    goName: 'NewBranchName',
    description: 'The branch to put the commit on, a new one; `branch` if left out.',
  }),
  force_push: boolean({ description: 'Moves `new_branch` even if it is there.' }),
  author: ref(Identity, { description: 'Who wrote it; the committer or the caller if left out.' }),
  committer: ref(Identity, { description: 'Who commits it; the author or the caller if left out.' }),
  dates: ref(CommitDateOptions),
  signoff: boolean({ description: 'Adds a Signed-off-by line of the committer.' }),
});

const content = () => string({ goName: 'ContentBase64', unbounded: true, description: 'The content in base64.' });
const sha = (description: string) => string({ goName: 'SHA', maxLength: 64, description });

/** The creation of a file. */
export const CreateFileOptions = defineOption(
  'CreateFileOptions',
  { ...fileOptions(), content: content() },
  { described: ['content'], description: 'A new file.' },
);

/** The change, move or creation of a file. */
export const UpdateFileOptions = defineOption(
  'UpdateFileOptions',
  {
    ...fileOptions(),
    sha: sha('The id of the blob that the file has now; without it the file is made.'),
    content: content(),
    from_path: string({ maxLength: 500, description: 'Where the file was; it is moved.' }),
  },
  { described: ['content'], description: 'A new content of a file.' },
);

/** The deletion of a file. */
export const DeleteFileOptions = defineOption(
  'DeleteFileOptions',
  { ...fileOptions(), sha: sha('The id of the blob that the file has now.') },
  { required: ['sha'], description: 'The removal of a file.' },
);

/** The operation on one of several files. */
export const ChangeFileOperation = defineOption(
  'ChangeFileOperation',
  {
    operation: string({
      enum: ['create', 'update', 'upload', 'rename', 'delete'],
      description: 'Creates a file, updates one, does either of the two, renames one, or deletes one.',
    }),
    path: string({ maxLength: 500, description: 'The path of the file.' }),
    content: content(),
    sha: sha('The id of the blob that the file has now.'),
    from_path: string({ maxLength: 500, description: 'Where the file was; it is moved.' }),
  },
  { required: ['operation', 'path'], description: 'A change of one file.' },
);

/** The change of several files with one commit. */
export const ChangeFilesOptions = defineOption(
  'ChangeFilesOptions',
  { ...fileOptions(), files: array(ref(ChangeFileOperation), { description: 'What happens to which file.' }) },
  { described: ['files'], description: 'Changes of several files.' },
);

/** A patch for a branch. */
export const ApplyDiffPatchFileOptions = defineOption(
  'ApplyDiffPatchFileOptions',
  { ...fileOptions(), content: string({ unbounded: true, description: 'The patch, as git writes it.' }) },
  { described: ['content'], description: 'A patch that becomes a commit.' },
);
