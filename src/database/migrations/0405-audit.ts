import type { SchemaMigration } from './schema-kit.ts';

export const audit: SchemaMigration = {
  name: '0405-audit',
  async up(kit) {
    await kit.table('audit_entries', {
      id: 'id',
      created_at: 'time',
      action: 'text',
      is_failed: 'boolean=false',
      count: 'integer=1',
      bucket: 'text?',
      actor_id: 'integer?',
      actor_name: 'text=',
      actor_key: 'text=',
      method: 'text',
      credential: 'text=',
      sudo_id: 'integer?',
      sudo_name: 'text=',
      address: 'text=',
      user_agent: 'text=',
      request_id: 'text=',
      object_type: 'text',
      object_id: 'integer?',
      object_name: 'text=',
      object_key: 'text=',
      owner_id: 'integer?',
      details: 'json={}',
    });
    await kit.index('audit_entries', ['created_at', 'id']);
    await kit.index('audit_entries', ['action', 'id']);
    await kit.index('audit_entries', ['actor_id', 'id'], { where: 'actor_id is not null' });
    await kit.index('audit_entries', ['actor_key', 'id']);
    await kit.index('audit_entries', ['object_type', 'object_id', 'id'], { where: 'object_id is not null' });
    await kit.index('audit_entries', ['object_key', 'id']);
    await kit.index('audit_entries', ['owner_id', 'id'], { where: 'owner_id is not null' });
    await kit.index('audit_entries', ['request_id'], { where: "request_id <> ''" });
    await kit.index('audit_entries', ['bucket'], { unique: true, where: 'bucket is not null' });
  },
};
