import { array, boolean, define, int64, string } from '../../http/schema.ts';

export const GeneralUISettings = define(
  'GeneralUISettings',
  {
    default_theme: string({ description: 'the default theme' }),
    allowed_reactions: array(string(), { description: 'the reactions that issues and comments take' }),
    custom_emojis: array(string(), { description: 'emoji that the instance adds' }),
  },
  { description: 'Settings of the web interface that clients show.' },
);

export const GeneralAPISettings = define(
  'GeneralAPISettings',
  {
    max_response_items: int64({ description: 'most items of one page' }),
    default_paging_num: int64({ description: 'items of a page where the request does not say' }),
    default_git_trees_per_page: int64({ description: 'most entries of one page of a tree' }),
    default_max_blob_size: int64({ description: 'bytes of the largest blob that is returned with its content' }),
    default_max_response_size: int64({ description: 'bytes of blobs in one response' }),
  },
  { description: 'Limits of the API.' },
);

export const GeneralAttachmentSettings = define(
  'GeneralAttachmentSettings',
  {
    enabled: boolean({ description: 'whether attachments are taken' }),
    allowed_types: string({ description: 'endings and media types, comma separated' }),
    max_size: int64({ description: 'largest attachment in MiB' }),
    max_files: int64({ description: 'most attachments of one post' }),
  },
  { description: 'Settings of attachments.' },
);

export const GeneralRepoSettings = define(
  'GeneralRepoSettings',
  {
    mirrors_disabled: boolean({ description: 'no mirrors' }),
    http_git_disabled: boolean({ goName: 'HTTPGitDisabled', description: 'no git over HTTP' }),
    migrations_disabled: boolean({ description: 'no copying from other services' }),
    stars_disabled: boolean({ description: 'no stars' }),
    time_tracking_disabled: boolean({ description: 'no tracked times' }),
    lfs_disabled: boolean({ goName: 'LFSDisabled', description: 'no large file storage' }),
  },
  { description: 'What repositories offer on this instance.' },
);
