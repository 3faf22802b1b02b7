import { emailFault } from '../../../../accounts/names.ts';
import type { Step } from '../../step.ts';

/** The e-mail addresses of users. */
export const emails: Step = {
  name: 'e-mail addresses',
  table: 'email_address',
  run: async (rows, batch) => {
    const users = await batch.existingOf('users', rows, 'uid');
    for (const row of rows) {
      const email = row.text('email');
      const fault = emailFault(email);
      if (fault !== undefined) batch.note(`e-mail address ${row.id} of user ${row.integer('uid')}`, `${fault}: it is left out`);
      if (fault !== undefined || !users.has(row.integer('uid'))) continue;
      batch.add('email_addresses', {
        id: row.id,
        user_id: row.integer('uid'),
        email,
        lower_email: email.toLowerCase(),
        is_activated: row.flag('is_activated'),
        is_primary: row.flag('is_primary'),
      });
    }
  },
};
