import { keyAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import { MalformedPacketError } from '../../git/protocol/pkt-line.ts';
import { HttpError } from '../../http/errors.ts';
import type { SshCommand, SshCommandRun } from '../../ssh-command.ts';
import type { LfsTarget } from '../target.ts';
import type { LfsCredential, LfsOperation } from '../tokens.ts';
import { authenticate } from './authenticate.ts';
import { serveTransfer } from './transfer.ts';

const operations = { download: 'read', upload: 'write' } as const satisfies Record<LfsOperation, string>;

/** The commands that clients of Git LFS run over SSH. */
export const sshCommands: { readonly [name: string]: SshCommand } = {
  'git-lfs-authenticate': {
    operations,
    run: async (context, run) => {
      const target = targetOf(context, run);
      run.output.write(authenticate(target, operationOf(run), credentialOf(context, run)));
      return 0;
    },
  },
  'git-lfs-transfer': {
    operations,
    run: async (context, run) => {
      const target = targetOf(context, run);
      if (!context.settings.lfs.pureSsh) throw new HttpError(403, 'LFS SSH transfer is not enabled');
      try {
        await serveTransfer(target, operationOf(run), run);
        return 0;
      } catch (error) {
        if (error instanceof MalformedPacketError) throw new HttpError(400, error.message);
        throw error;
      }
    },
  },
};

/** @throws HttpError if large files are disabled, or for a wiki */
function targetOf(context: Context, { repository, access, isWiki, deployKey }: SshCommandRun): LfsTarget {
  if (!context.settings.lfs.enabled) throw new HttpError(403, 'LFS Server is not enabled');
  if (isWiki) throw new HttpError(404, 'A wiki has no large files');
  const allowed = deployKey ? keyAccess(repository, deployKey.canWrite) : access;
  return { context, repository, access: allowed, mayLink: !deployKey, isDeployKey: deployKey !== undefined };
}

/** @throws HttpError for a caller who is neither a user nor a deploy key */
function credentialOf({ actor: user }: Context, { keyId, deployKey }: SshCommandRun): LfsCredential {
  if (deployKey) return { kind: 'deploy', deployKeyId: deployKey.id };
  if (!user) throw new HttpError(403, 'Forbidden');
  return keyId === undefined ? { kind: 'certificate', user } : { kind: 'key', user, keyId };
}

function operationOf({ operation }: SshCommandRun): LfsOperation {
  return operation === 'upload' ? 'upload' : 'download';
}
