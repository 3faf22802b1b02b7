import { randomBytes } from 'node:crypto';
import { findUser } from '../access/find-user.ts';
import { hashNewPassword } from '../accounts/administration/users.ts';
import { createUser } from '../accounts/create.ts';
import { deleteUser } from '../accounts/delete.ts';
import { removeSecondFactors } from '../accounts/passkeys/passkeys.ts';
import { createToken } from '../accounts/tokens/tokens.ts';
import { updateUser } from '../accounts/users/settings.ts';
import type { Context } from '../context.ts';
import type { User, Visibility } from '../database/tables/accounts.ts';
import { task, UsageError } from './task.ts';
import { type Terminal, words } from './words.ts';

const PASSWORD_OPTIONS = {
  password: {
    type: 'string',
    meaning: 'The password; it is asked for otherwise. Others on this machine can see it while the command runs.',
  },
  'random-password': { type: 'boolean', meaning: 'Make a password up and print it.' },
} as const;

interface PasswordValues {
  password: string | undefined;
  'random-password': boolean;
}

/** The password from the chosen source, and the text to print about it. */
async function readPassword(values: PasswordValues, terminal: Terminal): Promise<{ password: string; shown: string }> {
  if (!values['random-password']) return { password: values.password ?? (await terminal.secret('New password: ')), shown: '' };
  if (values.password !== undefined) throw new UsageError('--password and --random-password exclude each other');
  const password = `${randomBytes(15).toString('base64url')}-1aA`;
  return { password, shown: `\npassword: ${password}` };
}

/** @throws UsageError for a name that no person has */
export async function requireUser(context: Context, name: string): Promise<User> {
  const user = await findUser(context.db, name);
  if (user?.type !== 'individual') throw new UsageError(`there is no user ${name}`);
  return user;
}

function readVisibility(text: string | undefined): { visibility?: Visibility } {
  if (text === undefined) return {};
  if (text !== 'public' && text !== 'limited' && text !== 'private') throw new UsageError('--visibility is public, limited or private');
  return { visibility: text };
}

const create = task(
  'copse admin user create',
  'Makes an account, active at once.',
  {
    username: { type: 'string', required: true, meaning: 'Name to sign in with.' },
    email: { type: 'string', required: true, meaning: 'Primary address.' },
    ...PASSWORD_OPTIONS,
    'full-name': { type: 'string', meaning: 'Name for people.' },
    admin: { type: 'boolean', meaning: 'Make a site administrator.' },
    restricted: { type: 'boolean', meaning: 'Show the account only what it was added to.' },
    visibility: { type: 'string', meaning: 'Who may see the user: public, limited or private.' },
    'must-change-password': { type: 'boolean', meaning: 'Ask for a new password at the first sign-in.' },
    'access-token': { type: 'boolean', meaning: 'Make an access token for everything as well, and print it.' },
  },
  async (context, values, terminal) => {
    const visibility = readVisibility(values.visibility);
    const { password, shown } = await readPassword(values, terminal);
    await hashNewPassword(context, password);
    const user = await createUser(context, {
      name: values.username,
      email: values.email,
      fullName: values['full-name'] ?? '',
      password,
      byAdministrator: true,
      columns: {
        is_active: true,
        is_admin: values.admin,
        must_change_password: values['must-change-password'],
        ...(values.restricted && { is_restricted: true }),
        ...visibility,
      },
    });
    if (!values['access-token']) return `made the user ${user.name} with the id ${user.id}${shown}`;
    const { value } = await createToken(context, user, { name: 'command line', scopes: ['all'] });
    return `made the user ${user.name} with the id ${user.id}${shown}\naccess token: ${value}`;
  },
);

const PAGE = 1000;

const list = task(
  'copse admin user list',
  'Lists accounts, one in each line: id, name, address, what is special.',
  { admin: { type: 'boolean', meaning: 'Only administrators.' } },
  async ({ db }, { admin }) => {
    const lines: string[] = [];
    for (let after = 0; ; ) {
      let page = db.selectFrom('users').selectAll().where('type', '=', 'individual').where('id', '>', after);
      if (admin) page = page.where('is_admin', '=', true);
      const users = await page.orderBy('id').limit(PAGE).execute();
      for (const user of users) lines.push([user.id, user.name, user.email, marks(user)].join('\t').trimEnd());
      const last = users.at(-1);
      if (!last) return lines.join('\n');
      after = last.id;
    }
  },
);

function marks(user: User): string {
  const all = { admin: user.is_admin, inactive: !user.is_active, 'may not sign in': user.prohibit_login, restricted: user.is_restricted };
  return Object.entries(all)
    .flatMap(([word, holds]) => (holds ? [word] : []))
    .join(', ');
}

const changePassword = task(
  'copse admin user change-password',
  'Gives an account a new password.',
  {
    username: { type: 'string', required: true, meaning: 'Name of the user.' },
    ...PASSWORD_OPTIONS,
    'must-change-password': { type: 'boolean', meaning: 'Ask for another one at the next sign-in.' },
  },
  async (context, values, terminal) => {
    const { password, shown } = await readPassword(values, terminal);
    const user = await requireUser(context, values.username);
    const password_hash = await hashNewPassword(context, password);
    await updateUser(context, user, { password_hash, must_change_password: values['must-change-password'] });
    return `${user.name} has a new password${shown}`;
  },
);

const removeSecondFactor = task(
  'copse admin user remove-two-factor',
  'Turns two-factor sign-in off for somebody who has lost the device and the recovery code.',
  { username: { type: 'string', required: true, meaning: 'Name of the user.' } },
  async (context, { username }) => {
    const user = await requireUser(context, username);
    const { hasCodes, hasPasskeys } = await removeSecondFactors(context, user);
    return hasCodes || hasPasskeys ? `${user.name} signs in with the password alone now` : `${user.name} has no two-factor sign-in`;
  },
);

const remove = task(
  'copse admin user delete',
  'Deletes an account. What it wrote stays, under the name of the ghost.',
  {
    username: { type: 'string', required: true, meaning: 'Name of the user.' },
    purge: { type: 'boolean', meaning: 'Delete its repositories, organizations, packages and comments too.' },
  },
  async (context, { username, purge }) => {
    const user = await requireUser(context, username);
    await deleteUser(context, user, { purge });
    return `deleted the user ${user.name}`;
  },
);

/** `copse admin user`. */
export const user = words('copse admin user', 'Makes, lists and deletes users, and changes passwords.', {
  create,
  list,
  'change-password': changePassword,
  'remove-two-factor': removeSecondFactor,
  delete: remove,
});
