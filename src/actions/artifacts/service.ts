import type { Context } from '../../context.ts';
import type { ActionArtifact } from '../../database/tables/action-runners.ts';
import { wireTime } from '../../http/schema.ts';
import { completeArtifacts, deleteArtifact, findNamed, isAvailable } from './artifacts.ts';
import type { TaskOfRun } from './caller.ts';
import { ArtifactError } from './errors.ts';
import type { Message } from './messages.ts';
import { signedUrl } from './signed-url.ts';
import { beginUpload, finishUpload } from './upload.ts';

/** A procedure of the artifact service: handles the message of a task, and returns the response. */
export type Procedure = (context: Context, caller: TaskOfRun, message: Message) => Promise<object>;

/** Procedures by name. */
export const procedures: Readonly<Record<string, Procedure>> = {
  CreateArtifact: async (context, { task, runId }, message) => {
    const given = { name: message.text('name'), mediaType: message.text('mimeType'), expiresAt: message.time('expiresAt') };
    const artifact = await beginUpload(context, task, runId, given);
    return { ok: true, signedUploadUrl: signedUrl(context, 'UploadArtifact', artifact, task.id) };
  },

  FinalizeArtifact: async (context, { task, runId }, message) => {
    const { id } = await named(context, runId, message);
    const hash = message.text('hash');
    const [, sha256] = /^sha256:([0-9a-f]{64})$/i.exec(hash) ?? [];
    if (hash !== '' && sha256 === undefined) throw new ArtifactError(400, 'Error decode request body: hash');
    await finishUpload(context, { artifactId: id, taskId: task.id }, { size: message.number('size') ?? 0, sha256: sha256?.toLowerCase() });
    return { ok: true, artifactId: String(id) };
  },

  ListArtifacts: async (context, { runId }, message) => {
    const [name, id] = [message.text('nameFilter'), message.number('idFilter')];
    const found = (await completeArtifacts(context, runId)).filter(
      (one) => isAvailable(one) && (name === '' || one.name === name) && (id === undefined || one.id === id),
    );
    const artifacts = found.map((one) => ({
      workflowRunBackendId: String(runId),
      workflowJobRunBackendId: message.text('workflowJobRunBackendId'),
      databaseId: String(one.id),
      name: one.name,
      ...(one.size > 0 && { size: String(one.size) }),
      createdAt: wireTime(one.created_at),
    }));
    // Empty lists are left out in this format.
    return artifacts.length === 0 ? {} : { artifacts };
  },

  GetSignedArtifactURL: async (context, { task, runId }, message) => {
    const artifact = await named(context, runId, message);
    if (!isAvailable(artifact)) throw new ArtifactError(404, 'Error artifact not found');
    return { signedUrl: signedUrl(context, 'DownloadArtifact', artifact, task.id) };
  },

  DeleteArtifact: async (context, { runId }, message) => {
    const artifact = await named(context, runId, message);
    if (!(await deleteArtifact(context, artifact))) throw new ArtifactError(404, 'Error artifact not found');
    return { ok: true, artifactId: String(artifact.id) };
  },
};

async function named(context: Context, runId: number, message: Message): Promise<ActionArtifact> {
  const artifact = await findNamed(context, runId, message.text('name'));
  if (!artifact) throw new ArtifactError(404, 'Error artifact not found');
  return artifact;
}
