import { task, UsageError } from './task.ts';
import { words } from './words.ts';

const purge = task(
  'copse admin repository purge',
  'Has the server remove what no branch, tag or pull request leads to any more, such as a secret that was pushed away.',
  { repository: { type: 'string', required: true, meaning: 'OWNER/NAME of the repository.' } },
  async (context, { repository }) => {
    const [owner = '', name = '', ...rest] = repository.toLowerCase().split('/');
    const row = await context.db
      .selectFrom('repositories')
      .innerJoin('users', 'users.id', 'repositories.owner_id')
      .select('repositories.id')
      .where('users.lower_name', '=', owner)
      .where('repositories.lower_name', '=', name)
      .where('repositories.state', '=', 'ready')
      .executeTakeFirst();
    if (!row || rest.length > 0) throw new UsageError(`there is no repository ${repository}`);
    await context.jobs.add(context, 'repository.purge', { repositoryId: row.id }, { key: String(row.id) });
    return `the server purges ${repository} within the next minute, or when it starts; its log says when that is done`;
  },
);

/** `copse admin repository`. */
export const repository = words('copse admin repository', 'Looks after repositories.', { purge });
