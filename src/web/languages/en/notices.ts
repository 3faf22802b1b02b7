/** Texts of the notices for administrators. */
export const notices = {
  hint: 'What regular tasks found, and what failed in the background. The same again is counted.',
  none: 'There are no notices.',
  empty: 'Delete all',
  times: (number: string) => `${number} times`,
  kinds: { task: 'Task', job: 'Job', event: 'Event', repository: 'Repository', mirror: 'Mirror', migration: 'Migration' },
};
