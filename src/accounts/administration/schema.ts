import { boolean, defineOption, int64, oneOfUndescribed, string, timestamp } from '../../http/schema.ts';

/** What an administrator says of a new account. */
export const CreateUserOption = defineOption(
  'CreateUserOption',
  {
    source_id: int64({ description: 'The id of the external authenticator; 0 for none.' }),
    login_name: string({ default: 'empty', description: 'The name at the external authenticator.' }),
    username: string({ maxLength: 40, rule: 'Username', description: 'The name of the account.' }),
    full_name: string({ maxLength: 100, description: 'The name for people.' }),
    email: string({ format: 'email', maxLength: 254, rule: 'Email', description: 'The primary address.' }),
    password: string({ maxLength: 255, description: 'The first password.' }),
    must_change_password: boolean({ description: 'Whether a new password is due at the first sign-in; it is unless this says no.' }),
    send_notify: boolean({ description: 'Whether the user is told by mail.' }),
    restricted: boolean({ description: 'Whether the account sees only what it was added to.' }),
    visibility: oneOfUndescribed(['public', 'limited', 'private'], { description: 'Who may see the user.' }),
    created_at: timestamp({ goName: 'Created', description: 'When the account is said to have been made, where it comes from elsewhere.' }),
  },
  { required: ['username', 'email'] },
);
