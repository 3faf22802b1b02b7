import type { SchemaMigration } from './schema-kit.ts';

export const oauth2: SchemaMigration = {
  name: '0060-oauth2',
  async up(kit) {
    await kit.table('oauth2_applications', {
      id: 'id',
      user_id: 'part?:users',
      name: 'text',
      client_id: 'text',
      secret_hash: 'text=',
      is_confidential: 'boolean=true',
      skips_consent: 'boolean=false',
      redirect_uris: 'json',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('oauth2_applications', ['client_id'], { unique: true });
    await kit.index('oauth2_applications', ['user_id', 'id']);
    await kit.table('oauth2_grants', {
      id: 'id',
      user_id: 'ref:users',
      application_id: 'ref:oauth2_applications',
      scope: 'text=',
      created_at: 'time',
      updated_at: 'time',
    });
    await kit.index('oauth2_grants', ['user_id', 'application_id'], { unique: true });
    await kit.index('oauth2_grants', ['application_id']);
    await kit.table(
      'oauth2_codes',
      {
        code_hash: 'text',
        grant_id: 'ref:oauth2_grants',
        scope: 'text=',
        redirect_uri: 'text',
        challenge: 'text=',
        challenge_method: 'text=',
        nonce: 'text=',
        is_used: 'boolean=false',
        expires_at: 'time',
      },
      { primaryKey: ['code_hash'] },
    );
    await kit.index('oauth2_codes', ['grant_id']);
    await kit.index('oauth2_codes', ['expires_at']);
    await kit.table('oauth2_token_families', {
      id: 'id',
      grant_id: 'ref:oauth2_grants',
      scope: 'text=',
      nonce: 'text=',
      counter: 'integer=1',
      created_at: 'time',
      expires_at: 'time',
    });
    await kit.index('oauth2_token_families', ['grant_id']);
    await kit.index('oauth2_token_families', ['expires_at']);
    await kit.table('oauth2_signing_keys', { algorithm: 'text', private_key: 'text', created_at: 'time' }, { primaryKey: ['algorithm'] });
  },
};
