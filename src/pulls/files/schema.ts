import { define, int64, optional, string } from '../../http/schema.ts';

/** A file that a pull request changes. */
export const ChangedFile = define('ChangedFile', {
  filename: string({ description: 'The path of the file; of a removed one, the path that it had.' }),
  previous_filename: optional(string({ description: 'The path that a renamed file had.' })),
  status: string({ description: 'added, deleted, renamed, copied, changed, or unchanged where no line differs.' }),
  additions: int64({ description: 'Lines added.' }),
  deletions: int64({ description: 'Lines removed.' }),
  changes: int64({ description: 'Lines added and removed together.' }),
  html_url: optional(string({ goName: 'HTMLURL', description: 'The page of the file.' })),
  contents_url: optional(string({ description: 'The API URL of the contents of the file.' })),
  raw_url: optional(string({ description: 'Where its content is.' })),
});
