import { mediaType } from '../../../code/raw/media.ts';
import type { RawFile } from '../../../code/raw/raw.ts';
import type { Context } from '../../../context.ts';
import type { TreeEntry } from '../../../git/objects/tree-entry.ts';
import { type LfsPointer, MAX_LFS_POINTER_SIZE, parseLfsPointer } from '../../../git/trees/lfs-pointer.ts';
import { notFound } from '../../../http/errors.ts';
import type { Location } from '../location.ts';
import { type DecodedText, decodeFile } from './decode.ts';
import { type Media, mediaOf } from './media.ts';

/** Larger files are not shown, only offered as downloads. */
export const MAX_SHOWN = 8 * 1024 * 1024;

/** A file of a page. */
export interface FileContent {
  readonly entry: TreeEntry;
  /** Size in bytes of the file, or of the LFS object it points to. */
  readonly size: number;
  /** Undefined for binary or too large files. */
  readonly decoded: DecodedText | undefined;
  readonly media: Media | undefined;
  /** For a file that is stored in Git LFS. */
  readonly lfs: LfsPointer | undefined;
  readonly isLink: boolean;
  readonly isExecutable: boolean;
}

/** Reads the content that a page shows of a file. @throws HttpError 404 if its bytes are missing */
export async function readFile(context: Context, location: Location, entry: TreeEntry): Promise<FileContent> {
  const { pool } = context.git;
  const folder = context.git.locate(location.repository);
  const info = await pool.info(folder, entry.oid);
  if (!info) throw notFound();
  const isLink = entry.mode === '120000';
  const media = isLink ? undefined : await shownMedia(context, location, { entry, size: info.size });
  const needsText = media === undefined || location.path.toLowerCase().endsWith('.svg') || info.size < MAX_LFS_POINTER_SIZE;
  const blob = needsText && info.size <= MAX_SHOWN ? await pool.read(folder, entry.oid, { maxSize: MAX_SHOWN }) : undefined;
  const lfs = blob && !isLink ? parseLfsPointer(blob.data) : undefined;
  return {
    entry,
    size: lfs?.size ?? info.size,
    decoded: blob && !lfs ? decodeFile(blob.data) : undefined,
    media,
    lfs,
    isLink,
    isExecutable: entry.mode === '100755',
  };
}

/** A file whose bytes are not a PDF is served as another type, which browsers would download instead of showing it. */
async function shownMedia(
  context: Context,
  { repository, path }: Location,
  file: Pick<RawFile, 'entry' | 'size'>,
): Promise<Media | undefined> {
  const media = mediaOf(path);
  if (media !== 'pdf') return media;
  const folder = context.git.locate(repository);
  const type = await mediaType(context, repository, { ...file, folder, path, modified: undefined });
  return type === 'application/pdf' ? media : undefined;
}
