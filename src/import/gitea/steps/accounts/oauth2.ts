import { isImportedSecretHash } from '../../../../accounts/oauth2/client-secrets.ts';
import { normalizeGrantScope } from '../../../../accounts/oauth2/grant-scopes.ts';
import { checkRedirectUris } from '../../../../accounts/oauth2/redirect-uris.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';
import { faultOf } from '../fault.ts';

/** Applications that sign users in through this instance. */
export const applications: Step = {
  name: 'OAuth2 applications',
  table: 'oauth2_application',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'uid');
    for (const row of rows) {
      const owner = row.reference('uid');
      if (owner !== null && !users.has(owner)) continue;
      const secret = row.text('client_secret');
      const isKnown = isImportedSecretHash(secret);
      if (secret !== '' && !isKnown)
        batch.note(`OAuth2 application ${row.id}`, 'its secret is of no kind that can be checked: make a new one');
      batch.add('oauth2_applications', {
        id: row.id,
        user_id: owner,
        name: row.line('name'),
        client_id: row.line('client_id'),
        secret_hash: isKnown ? secret : '',
        is_confidential: row.flag('confidential_client', true),
        skips_consent: row.flag('skip_secondary_authorization'),
        redirect_uris: JSON.stringify(redirectUris(row, batch)),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** Grants of users to applications. Tokens are not imported: an application requests new ones. */
export const grants: Step = {
  name: 'OAuth2 grants',
  table: 'oauth2_grant',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id');
    const applications = await batch.existingOf('oauth2_applications', rows, 'application_id');
    for (const row of rows) {
      const [user, application] = [row.integer('user_id'), row.integer('application_id')];
      if (!users.has(user) || !applications.has(application)) continue;
      batch.add('oauth2_grants', {
        id: row.id,
        user_id: user,
        application_id: application,
        scope: normalizeGrantScope(row.line('scope', 2000)),
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
      });
    }
  },
};

/** The URIs that we allow to be registered. */
function redirectUris(row: Row, batch: Batch): string[] {
  return row.texts('redirect_uris').filter((uri) => {
    const fault = faultOf(() => checkRedirectUris([uri]));
    if (fault !== undefined) batch.note(`OAuth2 application ${row.id}`, `${fault}: the redirect URI is left out`);
    return fault === undefined;
  });
}
