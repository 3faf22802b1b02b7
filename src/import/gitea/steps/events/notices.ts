import { keepNotice, type NewNotice } from '../../../../database/notices.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** System notices for administrators. Gitea stores each repetition as a row; here it is counted. */
export const notices: Step = {
  name: 'notices of the system',
  table: 'notice',
  run: (rows, batch) => {
    batch.change(async (db) => {
      for (const row of rows) await keepNotice(db, noticeOf(row), row.time('created_unix'));
    });
  },
};

/** Gitea has two types (models/system/notice.go), and no subject. */
function noticeOf(row: Row): NewNotice {
  return { kind: row.integer('type') === 2 ? 'task' : 'repository', subject: 'Gitea', text: row.text('description') };
}
