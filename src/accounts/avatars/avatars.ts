import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { badRequest, unprocessable } from '../../http/errors.ts';
import { base64FaultAt } from '../base64.ts';
import { generatedPicture } from './generated.ts';
import { type Picture, redrawPicture } from './redraw.ts';

/** The storage key of the image with this name. */
export function avatarKey(name: string): string {
  return `avatars/${name}`;
}

/**
 * The image of a request: base64 of a PNG, JPEG, GIF or WebP within the limits of the settings, redrawn.
 * @throws HttpError 400 for invalid base64, 422 for an invalid image or one that is too large
 */
export async function uploadedPicture({ settings }: Context, base64: string): Promise<Picture> {
  const text = base64.replace(/[\r\n]/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw badRequest(`illegal base64 data at input byte ${base64FaultAt(text)}`);
  }
  const { maxSize } = settings.avatars;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > maxSize) throw unprocessable(`the image has ${bytes.length} bytes, more than ${maxSize}`);
  return redrawPicture(bytes, settings.avatars);
}

/**
 * Sets the avatar of a user or an organization.
 * @throws HttpError as {@link uploadedPicture}
 */
export async function setAvatar(context: Context, account: User, base64: string): Promise<void> {
  const { type, content } = await uploadedPicture(context, base64);
  // The id is part of the name, so that no two accounts share a file and each can be deleted without a check.
  const digest = createHash('sha256').update(`${account.id}-`).update(content).digest('hex');
  const name = `${digest}.${type}`;
  await context.storage.put(avatarKey(name), content);
  await replaceAvatar(context, account, name);
}

/** Restores the generated avatar. */
export async function deleteAvatar(context: Context, account: User): Promise<void> {
  if (account.avatar !== '') await replaceAvatar(context, account, '');
}

async function replaceAvatar(context: Context, account: User, name: string): Promise<void> {
  await context.db.updateTable('users').set({ avatar: name, updated_at: now() }).where('id', '=', account.id).execute();
  if (account.avatar !== '' && account.avatar !== name) await context.storage.delete(avatarKey(account.avatar));
}

/** The image of a URL: an uploaded one, or the one that is generated from 32 hexadecimal digits. */
export async function findAvatar({ storage }: Context, name: string): Promise<{ content: Readable | Buffer; type: string } | undefined> {
  if (/^[0-9a-f]{32}$/.test(name)) return { content: generatedPicture(name), type: 'image/png' };
  // Older uploads, which were not redrawn, may be GIF and WebP too.
  const type = /^[0-9a-f]{64}\.(png|jpeg|gif|webp)$/.exec(name)?.[1];
  const stored = type && (await storage.get(avatarKey(name)));
  return stored ? { content: stored.stream, type: `image/${type}` } : undefined;
}
