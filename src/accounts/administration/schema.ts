import { array, boolean, defineOption, int64, string, timestamp } from '../../http/schema.ts';

const VISIBILITIES = ['public', 'limited', 'private'];

/** A new account. */
export const CreateUserOption = defineOption(
  'CreateUserOption',
  {
    source_id: int64({ description: 'The id of the external authenticator; 0 for none.' }),
    login_name: string({ default: 'empty', maxLength: 600, description: 'The name at the external authenticator.' }),
    username: string({ maxLength: 40, rule: 'Username', description: 'The name of the account.' }),
    full_name: string({ maxLength: 100, description: 'The name for people.' }),
    email: string({ format: 'email', maxLength: 254, rule: 'Email', description: 'The primary e-mail address.' }),
    password: string({ maxLength: 255, description: 'The first password.' }),
    must_change_password: boolean({ description: 'Whether a new password is due at the first sign-in; it is unless this says no.' }),
    send_notify: boolean({ description: 'Whether the user is notified by mail.' }),
    restricted: boolean({ description: 'Whether the account sees only what it was given access to.' }),
    visibility: string({ rule: 'In', allowed: VISIBILITIES, description: 'Who may see the user: public, limited or private.' }),
    created_at: timestamp({ goName: 'Created', description: 'The date of creation, if the account comes from another system.' }),
  },
  { required: ['username', 'email'] },
);

/** The changes of an account; missing fields stay. */
export const EditUserOption = defineOption(
  'EditUserOption',
  {
    source_id: int64({ description: 'The id of the external authenticator; 0 for none.' }),
    login_name: string({ default: 'empty', maxLength: 600, description: 'The name at the external authenticator.' }),
    email: string({ format: 'email', maxLength: 254, description: 'The new primary e-mail address.' }),
    full_name: string({ maxLength: 100, description: 'The name for people.' }),
    password: string({ maxLength: 255, description: 'A new password.' }),
    must_change_password: boolean({ description: 'Whether a new password is due at the next sign-in.' }),
    website: string({ maxLength: 255, rule: 'Url', description: 'The website of the user.' }),
    location: string({ maxLength: 50, description: 'Where the user says to be.' }),
    description: string({ maxLength: 255, description: 'What the user says of itself.' }),
    active: boolean({ description: 'Whether the account is active.' }),
    admin: boolean({ description: 'Whether the user is a site administrator.' }),
    allow_git_hook: boolean({ description: 'Whether the user may edit Git hooks.' }),
    allow_import_local: boolean({ description: 'Whether the user may import repositories from the disk of the server.' }),
    max_repo_creation: int64({ description: 'How many repositories the user may own; -1 for the setting of the instance.' }),
    prohibit_login: boolean({ description: 'Whether the account may not sign in.' }),
    allow_create_organization: boolean({ description: 'Whether the user may create organizations.' }),
    restricted: boolean({ description: 'Whether the account sees only what it was given access to.' }),
    visibility: string({ rule: 'In', allowed: VISIBILITIES, description: 'Who may see the user: public, limited or private.' }),
  },
  { required: ['login_name'], described: ['source_id', 'login_name'] },
);

/** The new name of an account. */
export const RenameUserOption = defineOption(
  'RenameUserOption',
  { new_username: string({ goName: 'NewName', description: 'The new name.' }) },
  { required: ['new_username'] },
);

/** Badges to add or to remove. */
export const UserBadgeOption = defineOption('UserBadgeOption', {
  badge_slugs: array(string(), { example: ['badge1', 'badge2'], description: 'The slugs of the badges.' }),
});
