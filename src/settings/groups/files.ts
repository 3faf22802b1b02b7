import { absoluteUrl, boolean, integer, list, size } from '../kinds.ts';
import { fileType } from '../repository-kinds.ts';
import { group, setting } from '../setting.ts';

export const fileUploads = group('Uploads to repositories', 'Files that are committed with a form in the browser.', {
  enabled: setting(boolean(), 'true', 'Offer uploading files to a repository.'),
  allowedTypes: setting(list(fileType()), '', 'Types of files that may be uploaded; empty for all.'),
  maxSize: setting(
    size({ min: 1, max: 2 ** 30 }),
    '50MiB',
    'Largest file. Those of one upload have at most `limits.contentsBody` together.',
  ),
  maxFiles: setting(integer(1, 1000), '20', 'Files uploaded at one time; never more than `limits.uploadsPerRequest`.'),
});

export const releases = group('Releases', 'Releases and the files attached to them.', {
  allowedTypes: setting(list(fileType()), '', 'Types of files that may be attached; empty for all.'),
  maxSize: setting(size(), '2GiB', 'Largest file.'),
});

export const attachments = group('Attachments', 'Files attached to issues, pull requests and comments.', {
  enabled: setting(boolean(), 'true', 'Allow attachments.'),
  allowedTypes: setting(
    list(fileType()),
    '.avif, .cpuprofile, .csv, .dmp, .docx, .fodg, .fodp, .fods, .fodt, .gif, .gz, .jpeg, .jpg, .json, .jsonc, .log, .md, .mov, .mp4, .odf, .odg, .odp, .ods, .odt, .patch, .pdf, .png, .pptx, .svg, .tgz, .txt, .webm, .webp, .xls, .xlsx, .zip',
    'Types of files that may be attached; empty for all.',
  ),
  maxSize: setting(size(), '100MiB', 'Largest file. The API shows it in whole MiB.'),
  maxFiles: setting(integer(1, 1000), '5', 'Files attached at one time.'),
});

export const avatars = group('Avatars', 'Avatars of users, organizations and repositories.', {
  maxWidth: setting(integer(16, 65_536), '4096', 'Maximum width of an uploaded image, in pixels.'),
  maxHeight: setting(integer(16, 65_536), '4096', 'Maximum height of an uploaded image, in pixels.'),
  maxSize: setting(size({ min: 1024, max: 2 ** 26 }), '1MiB', 'Largest uploaded picture.'),
  renderedSize: setting(integer(16, 2048), '512', 'Side of the square that an uploaded image is scaled down to, in pixels.'),
  gravatarEnabled: setting(boolean(), 'false', 'Show the Gravatar of users without an avatar.'),
  gravatarUrl: setting(absoluteUrl('http', 'https'), 'https://secure.gravatar.com/avatar/', 'URL of the service for them.'),
});
