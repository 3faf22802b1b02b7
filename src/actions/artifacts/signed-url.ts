import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ActionArtifact } from '../../database/tables/action-runners.ts';
import { ArtifactError } from './errors.ts';

/** Seconds. */
export const LINK_LIFETIME = 3600;
/** Where the service is, by the name that its clients know. */
export const SERVICE = '/twirp/github.actions.results.api.v1.ArtifactService';
const PURPOSE = 'artifact service';

type Operation = 'UploadArtifact' | 'DownloadArtifact';
type Signing = Pick<Context, 'secrets' | 'settings'>;

/** The URL by which a task uploads or downloads an artifact without a token. It is good for an hour, while the task goes on. */
export function signedUrl({ secrets, settings }: Signing, operation: Operation, artifact: ActionArtifact, taskId: number): string {
  const fields = [String(now() + LINK_LIFETIME), artifact.name, String(taskId), String(artifact.id)] as const;
  const [expires, name, task, id] = fields;
  const sig = secrets.sign(PURPOSE, operation, ...fields);
  const path = `${settings.server.rootUrl.replace(/\/$/, '')}${SERVICE}/${operation}`;
  return `${path}?sig=${sig}&expires=${expires}&artifactName=${encodeURIComponent(name)}&taskID=${task}&artifactID=${id}`;
}

/**
 * What a signed URL is for.
 * @throws ArtifactError 400 for one that cannot be read, 401 for one that is not good, or not any more
 */
export function readSignedUrl(
  { secrets }: Signing,
  operation: Operation,
  url: string,
): { name: string; taskId: number; artifactId: number } {
  const query = new URL(url).searchParams;
  const [sig, expires, name, task, id] = ['sig', 'expires', 'artifactName', 'taskID', 'artifactID'].map((key) => query.get(key) ?? '') as [
    string,
    string,
    string,
    string,
    string,
  ];
  if (!/^[\w-]*$/.test(sig) || !/^\d{1,15}$/.test(task) || !/^\d{1,15}$/.test(id))
    throw new ArtifactError(400, 'Error decoding signature values');
  if (!secrets.isSigned(sig, PURPOSE, operation, expires, name, task, id)) throw new ArtifactError(401, 'Error unauthorized');
  if (Number(expires) <= now()) throw new ArtifactError(401, 'Error link expired');
  return { name, taskId: Number(task), artifactId: Number(id) };
}
