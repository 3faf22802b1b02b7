/** Texts of the notices for administrators. */
export const notices = {
  hint: 'Findings of scheduled tasks, and failures in the background. Repetitions are counted.',
  none: 'There are no notices.',
  empty: 'Delete all',
  times: (number: string) => `${number} times`,
  kinds: { task: 'Task', job: 'Job', event: 'Event', repository: 'Repository', mirror: 'Mirror', migration: 'Migration' },
};
