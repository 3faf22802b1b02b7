import { array, boolean, define, int64, optional, ref, string, timestamp } from '../../http/schema.ts';
import { ActionWorkflowRun } from '../runs/schema.ts';

/** An artifact on the wire. */
export const ActionArtifact = define(
  'ActionArtifact',
  {
    id: int64({ description: 'The id of the artifact.' }),
    name: string({ description: 'What its job calls it.' }),
    size_in_bytes: int64({ description: 'Bytes.' }),
    url: string({ goName: 'URL', description: 'The API URL of the artifact.' }),
    archive_download_url: string({ goName: 'ArchiveDownloadURL', description: 'Where it is downloaded.' }),
    expired: boolean({ description: 'Its bytes have been removed.' }),
    workflow_run: optional(ref(ActionWorkflowRun)),
    created_at: timestamp(),
    updated_at: timestamp(),
    expires_at: timestamp(),
  },
  { description: 'A file that a run has left.' },
);

/** A page of artifacts. */
export const ActionArtifactsResponse = define(
  'ActionArtifactsResponse',
  {
    artifacts: array(ref(ActionArtifact), { goName: 'Entries' }),
    total_count: int64({ description: 'How many there are on all pages.' }),
  },
  { description: 'Files that runs have left.' },
);
