import type { SchemaMigration } from './schema-kit.ts';

/** Passkeys and security keys (WebAuthn), and the challenges that were answered: each is good once, in all processes. */
export const passkeys: SchemaMigration = {
  name: '0470-passkeys',
  phase: 'expand',
  async up(kit) {
    await kit.table(
      'passkeys',
      {
        id: 'id',
        user_id: 'ref:users',
        name: 'text',
        lower_name: 'text',
        credential_id: 'text',
        public_key: 'text',
        counter: 'integer=0',
        transports: 'json',
        created_at: 'time',
        used_at: 'time=0',
      },
      { unique: [['user_id', 'lower_name'], ['credential_id']] },
    );
    await kit.table('used_challenges', { challenge_hash: 'text', expires_at: 'time' }, { primaryKey: ['challenge_hash'] });
    await kit.index('used_challenges', ['expires_at']);
  },
};
