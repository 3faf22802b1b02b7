import { InvalidScopeError, normalizeScope, parseScope } from '../../../../access/scopes.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Access tokens, with their existing hashes until they are used. */
export const tokens: Step = {
  name: 'access tokens',
  table: 'access_token',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'uid');
    for (const row of rows) {
      if (!users.has(row.integer('uid'))) continue;
      const subject = `access token ${row.id} of user ${row.integer('uid')}`;
      const scope = readScope(row);
      const isHash = /^[0-9a-f]{100}$/.test(row.text('token_hash')) && /^\w{1,64}$/.test(row.text('token_salt'));
      if (scope === undefined || !isHash) {
        batch.note(subject, `its ${isHash ? 'scope' : 'hash'} cannot be read: it is left out`);
        continue;
      }
      batch.add('access_tokens', {
        id: row.id,
        user_id: row.integer('uid'),
        name: row.line('name', 600),
        token_hash: row.text('token_hash'),
        imported_salt: row.text('token_salt'),
        token_last_eight: row.line('token_last_eight', 8),
        scope,
        created_at: row.time('created_unix'),
        updated_at: row.time('updated_unix'),
        last_used_at: row.time('updated_unix') > row.time('created_unix') ? row.time('updated_unix') : 0,
      });
    }
  },
};

/** The scope in our form; a token of Gitea without a scope has no permissions. */
function readScope(row: Row): string | undefined {
  try {
    const scope = normalizeScope(parseScope(row.line('scope', 2000)));
    return scope === '' ? undefined : scope;
  } catch (error) {
    if (error instanceof InvalidScopeError) return undefined;
    throw error;
  }
}
