import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Repository } from '../../access/find-repository.ts';
import { uploadedPicture } from '../../accounts/avatars/avatars.ts';
import type { Context } from '../../context.ts';

/** Where the picture with this name is stored. */
export function avatarKey(name: string): string {
  return `repo-avatars/${name}`;
}

/**
 * Gives a repository a picture.
 * @throws HttpError 400 for what is no base64, 422 for what is no picture or too large
 */
export async function setRepositoryAvatar(context: Context, repository: Repository, base64: string): Promise<void> {
  const { type, content } = await uploadedPicture(context, base64);
  await storeAvatar(context, repository, type, content);
}

async function storeAvatar(context: Context, repository: Repository, type: string, content: Buffer): Promise<void> {
  // The id is part of the name, so that no two repositories share a file and one can be removed without asking.
  const digest = createHash('sha256').update(`${repository.id}-`).update(content).digest('hex');
  const name = `${digest}.${type}`;
  await context.storage.put(avatarKey(name), content);
  await replace(context, repository, name);
}

/** Takes a repository's picture away. */
export async function deleteRepositoryAvatar(context: Context, repository: Repository): Promise<void> {
  if (repository.avatar !== '') await replace(context, repository, '');
}

async function replace(context: Context, repository: Repository, name: string): Promise<void> {
  await context.db.updateTable('repositories').set({ avatar: name }).where('id', '=', repository.id).execute();
  if (repository.avatar !== '' && repository.avatar !== name) await context.storage.delete(avatarKey(repository.avatar));
}

/** Gives a repository the picture of another. */
export async function copyRepositoryAvatar(context: Context, from: Repository, to: Repository): Promise<void> {
  const picture = await findRepositoryAvatar(context, from.avatar);
  if (!picture) return;
  const chunks: Buffer[] = [];
  for await (const chunk of picture.content) chunks.push(chunk as Buffer);
  await storeAvatar(context, to, picture.type.slice('image/'.length), Buffer.concat(chunks));
}

/** The picture that an address names. */
export async function findRepositoryAvatar({ storage }: Context, name: string): Promise<{ content: Readable; type: string } | undefined> {
  const type = /^[0-9a-f]{64}\.(png|jpeg|gif|webp)$/.exec(name)?.[1];
  const stored = type && (await storage.get(avatarKey(name)));
  return stored ? { content: stored.stream, type: `image/${type}` } : undefined;
}
