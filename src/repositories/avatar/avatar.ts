import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Repository } from '../../access/find-repository.ts';
import { uploadedPicture } from '../../accounts/avatars/avatars.ts';
import type { Context } from '../../context.ts';

/** The storage key of the image with this name. */
export function avatarKey(name: string): string {
  return `repo-avatars/${name}`;
}

/**
 * Sets the avatar of a repository.
 * @throws HttpError 400 for invalid base64, 422 for an invalid image or one that is too large
 */
export async function setRepositoryAvatar(context: Context, repository: Repository, base64: string): Promise<void> {
  const { type, content } = await uploadedPicture(context, base64);
  await storeAvatar(context, repository, type, content);
}

async function storeAvatar(context: Context, repository: Repository, type: string, content: Buffer): Promise<void> {
  // The id is part of the name, so that no two repositories share a file and each can be deleted without a check.
  const digest = createHash('sha256').update(`${repository.id}-`).update(content).digest('hex');
  const name = `${digest}.${type}`;
  await context.storage.put(avatarKey(name), content);
  await replace(context, repository, name);
}

/** Deletes a repository's avatar. */
export async function deleteRepositoryAvatar(context: Context, repository: Repository): Promise<void> {
  if (repository.avatar !== '') await replace(context, repository, '');
}

async function replace(context: Context, repository: Repository, name: string): Promise<void> {
  await context.db.updateTable('repositories').set({ avatar: name }).where('id', '=', repository.id).execute();
  if (repository.avatar !== '' && repository.avatar !== name) await context.storage.delete(avatarKey(repository.avatar));
}

/** Copies the avatar of another repository. */
export async function copyRepositoryAvatar(context: Context, from: Repository, to: Repository): Promise<void> {
  const picture = await findRepositoryAvatar(context, from.avatar);
  if (!picture) return;
  const chunks: Buffer[] = [];
  for await (const chunk of picture.content) chunks.push(chunk as Buffer);
  await storeAvatar(context, to, picture.type.slice('image/'.length), Buffer.concat(chunks));
}

/** The image of a URL. */
export async function findRepositoryAvatar({ storage }: Context, name: string): Promise<{ content: Readable; type: string } | undefined> {
  const type = /^[0-9a-f]{64}\.(png|jpeg|gif|webp)$/.exec(name)?.[1];
  const stored = type && (await storage.get(avatarKey(name)));
  return stored ? { content: stored.stream, type: `image/${type}` } : undefined;
}
