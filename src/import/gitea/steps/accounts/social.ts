import type { Step } from '../../step.ts';

/** Followers of users. */
export const follows: Step = {
  name: 'follows',
  table: 'follow',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id', 'follow_id');
    for (const row of rows) {
      const [follower, followed] = [row.integer('user_id'), row.integer('follow_id')];
      if (!users.has(follower) || !users.has(followed)) continue;
      batch.add('follows', { follower_id: follower, followed_id: followed, created_at: row.time('created_unix') });
    }
  },
};

/** Blocked users. */
export const blocks: Step = {
  name: 'blocks',
  table: 'user_blocking',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'blocker_id', 'blockee_id');
    for (const row of rows) {
      const [blocker, blocked] = [row.integer('blocker_id'), row.integer('blockee_id')];
      if (!users.has(blocker) || !users.has(blocked)) continue;
      batch.add('blocks', {
        id: row.id,
        blocker_id: blocker,
        blocked_id: blocked,
        note: row.text('note'),
        created_at: row.time('created_unix'),
      });
    }
  },
};

/** Blocked users of Forgejo. */
export const forgejoBlocks: Step = {
  name: 'blocks of Forgejo',
  table: 'forgejo_blocked_user',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id', 'block_id');
    for (const row of rows) {
      const [blocker, blocked] = [row.integer('user_id'), row.integer('block_id')];
      if (!users.has(blocker) || !users.has(blocked)) continue;
      batch.add('blocks', { blocker_id: blocker, blocked_id: blocked, created_at: row.time('created_unix') });
    }
  },
};

/** The badges that administrators award to users. */
export const badges: Step = {
  name: 'badges',
  table: 'badge',
  run: (rows, batch) => {
    for (const row of rows)
      batch.add('badges', {
        id: row.id,
        // Forgejo's badges have none.
        slug: row.line('slug') || `badge-${row.id}`,
        description: row.text('description'),
        image_url: row.line('image_url', 2048),
      });
  },
};

/** Badges of users. */
export const userBadges: Step = {
  name: 'badges of users',
  table: 'user_badge',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'user_id');
    const badges = await batch.existingOf('badges', rows, 'badge_id');
    for (const row of rows) {
      if (!users.has(row.integer('user_id')) || !badges.has(row.integer('badge_id'))) continue;
      batch.add('user_badges', { user_id: row.integer('user_id'), badge_id: row.integer('badge_id') });
    }
  },
};

/** Former names of users and organizations. */
export const userRedirects: Step = {
  name: 'former names of users',
  table: 'user_redirect',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'redirect_user_id');
    for (const row of rows) {
      if (!users.has(row.integer('redirect_user_id'))) continue;
      batch.add('user_redirects', { lower_name: row.line('lower_name').toLowerCase(), user_id: row.integer('redirect_user_id') });
    }
  },
};
