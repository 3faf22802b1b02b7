import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { redrawPicture } from '../../accounts/avatars/redraw.ts';
import { HttpError } from '../../http/errors.ts';
import type { Batch } from './batch.ts';
import { openInside } from './files.ts';
import type { Row } from './source/row.ts';

/**
 * Imports the avatar of a row, re-encoded like an upload.
 * @param kind the folder of the storage
 * @returns its new name; empty, with a note, if there is no valid image
 */
export async function importAvatar(batch: Batch, subject: string, kind: 'avatars' | 'repo-avatars', row: Row): Promise<string> {
  const { settings, context, isDryRun } = batch.run;
  const folder = kind === 'avatars' ? settings.storages.avatars : settings.storages.repoAvatars;
  const file = row.text('avatar') === '' ? undefined : await openInside(folder, row.line('avatar'));
  if (!file) {
    batch.note(subject, 'the file of its avatar is missing');
    return '';
  }
  const { maxSize } = context.settings.avatars;
  if (file.size > maxSize || isDryRun) file.stream.destroy();
  if (file.size > maxSize) batch.note(subject, `its avatar has more than ${maxSize} bytes: it is left out`);
  if (file.size > maxSize || isDryRun) return '';
  try {
    const { type, content } = await redrawPicture(await buffer(file.stream), context.settings.avatars);
    const digest = createHash('sha256').update(`${row.id}-`).update(content).digest('hex');
    await context.storage.put(`${kind}/${digest}.${type}`, content);
    return `${digest}.${type}`;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    batch.note(subject, `its avatar: ${error.message}: it is left out`);
    return '';
  }
}
