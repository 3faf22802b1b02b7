import type { SchemaMigration } from './schema-kit.ts';

export const sessions: SchemaMigration = {
  name: '0061-sessions',
  async up(kit) {
    await kit.table('sessions', {
      id: 'id',
      user_id: 'ref:users',
      token_hash: 'text',
      password_mark: 'text',
      is_remembered: 'boolean=false',
      ip: 'text=',
      user_agent: 'text=',
      created_at: 'time',
      used_at: 'time',
      expires_at: 'time',
    });
    await kit.index('sessions', ['token_hash'], { unique: true });
    await kit.index('sessions', ['user_id', 'id']);
    await kit.index('sessions', ['expires_at']);
  },
};
