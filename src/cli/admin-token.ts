import { createToken } from '../accounts/tokens/tokens.ts';
import { requireUser } from './admin-user.ts';
import { task } from './task.ts';
import { words } from './words.ts';

const create = task(
  'copse admin token create',
  'Makes an access token for a user and prints its value, which cannot be had again.',
  {
    username: { type: 'string', required: true, meaning: 'Name of the user.' },
    name: { type: 'string', required: true, meaning: 'Name of the token, new for the user.' },
    scopes: { type: 'string', required: true, meaning: 'What it may be used for, such as all or read:user,write:repository.' },
  },
  async (context, { username, name, scopes }) => {
    const owner = await requireUser(context, username);
    return (await createToken(context, owner, { name, scopes: scopes.split(',').map((scope) => scope.trim()) })).value;
  },
);

/** `copse admin token`. */
export const token = words('copse admin token', 'Makes access tokens.', { create });
