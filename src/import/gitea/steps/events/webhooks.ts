import type { SlackOptions } from '../../../../database/tables/webhooks.ts';
import { checkBranchFilter, checkUrl } from '../../../../webhooks/hooks/check.ts';
import { HOOK_EVENTS, type HookEvent } from '../../../../webhooks/hooks/events.ts';
import { seal } from '../../../../webhooks/hooks/secrets.ts';
import { isHookType } from '../../../../webhooks/hooks/types.ts';
import type { Batch } from '../../batch.ts';
import { decryptSecret } from '../../secrets.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { faultOf } from '../fault.ts';

/** Gitea's number of the form format (models/webhook/webhook.go, `HookContentType`). */
const FORM = 2;

/** Webhooks of repositories, of owners, and of the instance. */
export const webhooks: Step = {
  name: 'webhooks',
  table: 'webhook',
  batchSize: 100,
  run: async (rows, batch) => {
    const repositories = await batch.existingOf('repositories', rows, 'repo_id');
    const owners = await batch.existingOf('users', rows, 'owner_id');
    for (const row of rows) {
      const [repository, owner] = [row.reference('repo_id'), row.reference('owner_id')];
      if ((repository !== null && !repositories.has(repository)) || (owner !== null && !owners.has(owner))) continue;
      const fault = faultIn(row);
      if (fault !== undefined) batch.note(`webhook ${row.id}`, `${fault}: it is left out`);
      else addWebhook(row, batch, repository, repository === null ? owner : null);
    }
  },
};

function faultIn(row: Row): string | undefined {
  if (!isHookType(row.text('type'))) return `hooks of the type ${row.line('type', 50)} are not supported`;
  if (!['', 'POST'].includes(row.text('http_method'))) return 'it is sent with another method than POST';
  return faultOf(() => checkUrl(row.line('url', 4096)));
}

function addWebhook(row: Row, batch: Batch, repositoryId: number | null, ownerId: number | null): void {
  const { secrets } = batch.context;
  const filter = filterOf(row);
  const fault = faultOf(() => checkBranchFilter(filter));
  if (fault !== undefined) batch.note(`webhook ${row.id}`, `${fault}: it is switched off`);
  batch.add('webhooks', {
    id: row.id,
    repository_id: repositoryId,
    owner_id: ownerId,
    is_system: row.flag('is_system_webhook'),
    name: row.line('name'),
    type: row.text('type'),
    url: row.line('url', 4096),
    content_type: row.integer('content_type') === FORM ? 'form' : 'json',
    sealed_secret: seal(secrets, row.id, 'secret', row.line('secret', 4096)),
    sealed_authorization: seal(secrets, row.id, 'authorization', authorizationOf(row, batch)),
    slack: JSON.stringify(row.text('type') === 'slack' ? slackOf(row) : null),
    events: JSON.stringify(eventsOf(row)),
    branch_filter: fault === undefined ? filter : '',
    is_active: row.flag('is_active') && fault === undefined,
    due_at: null,
    process_id: null,
    created_at: row.time('created_unix'),
    updated_at: row.time('updated_unix'),
  });
}

function choiceOf(row: Row): Readonly<Record<string, unknown>> {
  const value = row.json('events');
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function filterOf(row: Row): string {
  const { branch_filter: filter } = choiceOf(row);
  return typeof filter === 'string' ? filter.slice(0, 4096) : '';
}

/** The events of a webhook. Older versions had three kinds of reviews. */
function eventsOf(row: Row): HookEvent[] {
  const { push_only: pushOnly, send_everything: everything, events } = choiceOf(row);
  if (everything === true) return [...HOOK_EVENTS];
  if (pushOnly === true) return ['push'];
  const chosen = new Set(
    Object.entries(events ?? {}).flatMap(([name, isChosen]) =>
      isChosen === true ? [name, name.replace(/^(pull_request_review)_(?:approved|rejected|comment)$/, '$1')] : [],
    ),
  );
  return HOOK_EVENTS.filter((event) => chosen.has(event));
}

function authorizationOf(row: Row, batch: Batch): string {
  const encrypted = row.text('header_authorization_encrypted');
  if (encrypted === '') return '';
  const header = decryptSecret(batch.run.settings.secretKey, encrypted);
  const isUsable = header !== undefined && header.length <= 4096 && !/[^\t\x20-\x7e\x80-\xff]/.test(header);
  if (!isUsable) batch.note(`webhook ${row.id}`, 'its authorization header cannot be decrypted with SECRET_KEY: set it again');
  return isUsable ? header : '';
}

function slackOf(row: Row): SlackOptions {
  const value = row.json('meta');
  const meta = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const text = (key: string) => (typeof meta[key] === 'string' ? meta[key].slice(0, 4096) : '');
  return { channel: text('channel'), username: text('username'), icon_url: text('icon_url'), color: text('color') };
}
