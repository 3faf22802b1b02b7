import { RUN_MAILS } from '../../../../notifications/mail-preferences.ts';
import type { Step } from '../../step.ts';

const KEY = 'email_notification.gitea_actions';

/** Which runs of workflows accounts get mails about, a setting of the account in Gitea. */
export const runMails: Step = {
  name: 'mails of runs',
  table: 'user_setting',
  run: (rows, batch) => {
    for (const row of rows) {
      const preference = RUN_MAILS.find((one) => one === row.text('setting_value'));
      if (row.text('setting_key') !== KEY || preference === undefined) continue;
      batch.change((db) => db.updateTable('users').set({ run_mails: preference }).where('id', '=', row.integer('user_id')).execute());
    }
  },
};
