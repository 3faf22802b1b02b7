import { array, boolean, define, defineOption, int64, string } from '../../http/schema.ts';

/** An e-mail address of a user. */
export const Email = define('Email', {
  email: string({ format: 'email', description: 'The e-mail address.' }),
  verified: boolean({ description: 'Whether it is known to be the user’s.' }),
  primary: boolean({ description: 'Whether it is the one that the user is written to.' }),
  user_id: int64({ description: 'The id of the user, in the lists of administrators.' }),
  username: string({ goName: 'UserName', description: 'The name of the user, in the lists of administrators.' }),
});

/** E-mail addresses to add. */
export const CreateEmailOption = defineOption('CreateEmailOption', {
  emails: array(string(), { description: 'The addresses.' }),
});

/** E-mail addresses to remove. */
export const DeleteEmailOption = defineOption('DeleteEmailOption', {
  emails: array(string(), { description: 'The addresses.' }),
});
