import { define, defineOption, int64, string, timestamp } from '../../http/schema.ts';

/** A file of an issue, a comment or a release. */
export const Attachment = define('Attachment', {
  id: int64({ description: 'The id of the file.' }),
  name: string({ description: 'The name of the file.' }),
  size: int64({ description: 'Bytes.' }),
  download_count: int64({ description: 'How often it was fetched.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was added.' }),
  uuid: string({ goName: 'UUID', description: 'The name of the file in its URL.' }),
  browser_download_url: string({ goName: 'DownloadURL', description: 'Where the file is.' }),
});

/** The changes of a file. */
export const EditAttachmentOptions = defineOption('EditAttachmentOptions', { name: string({ description: 'The new name.' }) });
