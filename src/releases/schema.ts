import { User } from '../accounts/users/schema.ts';
import { array, boolean, define, defineOption, int64, nullable, ref, string, timestamp } from '../http/schema.ts';
import { Attachment } from '../issues/attachments/schema.ts';

/** A release on the wire. */
export const Release = define(
  'Release',
  {
    id: int64({ description: 'The id of the release.' }),
    tag_name: string({ description: 'The tag that it is about.' }),
    target_commitish: string({ goName: 'Target', description: 'The branch, tag or commit at which the tag was or will be made.' }),
    name: string({ goName: 'Title', description: 'The title.' }),
    body: string({ goName: 'Note', description: 'The notes, as Markdown.' }),
    url: string({ goName: 'URL', description: 'The API URL of the release.' }),
    html_url: string({ goName: 'HTMLURL', description: 'Its page.' }),
    tarball_url: string({ goName: 'TarURL', description: 'Where the files of the tag are as a tar archive.' }),
    zipball_url: string({ goName: 'ZipURL', description: 'Where the files of the tag are as a zip archive.' }),
    upload_url: string({ goName: 'UploadURL', description: 'Where files for it are sent.' }),
    draft: boolean({ goName: 'IsDraft', description: 'Only writers of releases can see it yet.' }),
    prerelease: boolean({ goName: 'IsPrerelease', description: 'Not meant for everybody, so it is never the latest.' }),
    created_at: timestamp(),
    published_at: timestamp(),
    author: nullable(ref(User, { goName: 'Publisher' })),
    assets: array(ref(Attachment), { goName: 'Attachments', description: 'The files.' }),
  },
  { description: 'A release.' },
);

/** Characters of the name of a branch, tag or commit. */
const MAX_TARGET = 1024;

/** A request that creates a release. */
export const CreateReleaseOption = defineOption(
  'CreateReleaseOption',
  {
    tag_name: string({ description: 'The tag; it is made if it is not there.' }),
    tag_message: string({ description: 'The message of a tag that is made; without one it is a plain ref.' }),
    target_commitish: string({
      goName: 'Target',
      maxLength: MAX_TARGET,
      description: 'The branch, tag or commit at which the tag is made; else the default branch.',
    }),
    name: string({ goName: 'Title', description: 'The title.' }),
    body: string({ goName: 'Note', description: 'The notes, as Markdown.' }),
    draft: boolean({ goName: 'IsDraft', description: 'Visible only to writers of releases, and without a tag yet.' }),
    prerelease: boolean({ goName: 'IsPrerelease', description: 'Not meant for everybody.' }),
  },
  { required: ['tag_name'], description: 'A new release.' },
);

/** Changes of a release; missing and empty fields stay. */
export const EditReleaseOption = defineOption(
  'EditReleaseOption',
  {
    tag_name: string({ description: 'The new tag.' }),
    target_commitish: string({ goName: 'Target', maxLength: MAX_TARGET, description: 'Where the tag is made if it is not there.' }),
    name: string({ goName: 'Title', description: 'The new title.' }),
    body: string({ goName: 'Note', description: 'The new notes.' }),
    draft: boolean({ goName: 'IsDraft', description: 'False publishes a draft, true takes a release back.' }),
    prerelease: boolean({ goName: 'IsPrerelease', description: 'Not meant for everybody.' }),
  },
  { description: 'Changes of a release.' },
);
