import { badge } from './admin-badge.ts';
import { repository } from './admin-repository.ts';
import { token } from './admin-token.ts';
import { user } from './admin-user.ts';
import { words } from './words.ts';

/** `copse admin`: accounts without the server. */
export const admin = words('copse admin', 'Manages accounts and repositories.', { user, token, badge, repository });
