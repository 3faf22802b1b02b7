import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { ActionArtifact } from '../../database/tables/action-runners.ts';
import { ArtifactError } from './errors.ts';

/** Seconds. */
export const LINK_LIFETIME = 3600;
/** The path of the service that its clients use. */
export const SERVICE = '/twirp/github.actions.results.api.v1.ArtifactService';
const PURPOSE = 'artifact service';

type Operation = 'UploadArtifact' | 'DownloadArtifact';
type Signing = Pick<Context, 'secrets' | 'settings'>;

/** The URL by which a task uploads or downloads an artifact without a token. It is valid for an hour, while the task runs. */
export function signedUrl({ secrets, settings }: Signing, operation: Operation, artifact: ActionArtifact, taskId: number): string {
  const fields = [String(now() + LINK_LIFETIME), artifact.name, String(taskId), String(artifact.id)] as const;
  const [expires, name, task, id] = fields;
  const sig = secrets.sign(PURPOSE, operation, ...fields);
  const path = `${settings.server.rootUrl.replace(/\/$/, '')}${SERVICE}/${operation}`;
  return `${path}?sig=${sig}&expires=${expires}&artifactName=${encodeURIComponent(name)}&taskID=${task}&artifactID=${id}`;
}

/**
 * The operation and the artifact of a signed URL.
 * @throws ArtifactError 400 for a malformed one, 401 for one that is invalid or expired
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
