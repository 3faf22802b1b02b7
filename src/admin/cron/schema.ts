import { define, int64, string, timestamp } from '../../http/schema.ts';

/** A regular task of the server. */
export const Cron = define('Cron', {
  name: string({ description: 'What the task is called.' }),
  schedule: string({
    description: 'When it is due: a cron expression, `@midnight`, `@every 10m` …; `-` for a task that is run by hand alone.',
  }),
  next: timestamp({ description: 'When it is run next.' }),
  prev: timestamp({ description: 'When it was last run.' }),
  exec_times: int64({ goName: 'ExecTimes', description: 'How often it was run.' }),
});
