import { User } from '../../accounts/users/schema.ts';
import { array, define, defineOption, int64, nullable, oneOf, ref, string, timestamp } from '../../http/schema.ts';
import { Repository } from '../../repositories/schema.ts';

/** The states of a check. */
export const STATES = ['pending', 'success', 'error', 'failure', 'warning', 'skipped'] as const;

/** The status that one check reports for a commit. */
export const CommitStatus = define(
  'CommitStatus',
  {
    id: int64({ description: 'The number of the report among those of its commit.' }),
    status: oneOf(STATES, { goName: 'State', description: 'What the check says.' }),
    target_url: string({ description: 'Where more about it is found.' }),
    description: string({ description: 'A few words about it.' }),
    url: string({ description: 'All reports of the commit.' }),
    context: string({ description: 'The name of the check.' }),
    creator: nullable(ref(User)),
    created_at: timestamp({ goName: 'Created', description: 'When it was reported.' }),
    updated_at: timestamp({ goName: 'Updated', description: 'When it was changed last.' }),
  },
  { description: 'What a check says of a commit.' },
);

/** The combined status of all checks of a commit. */
export const CombinedStatus = define(
  'CombinedStatus',
  {
    state: oneOf(STATES, { description: 'What they say together.' }),
    sha: string({ goName: 'SHA', description: 'The commit.' }),
    total_count: int64({ description: 'How many checks are listed.' }),
    statuses: nullable(array(ref(CommitStatus), { description: 'The latest report of each check.' })),
    repository: nullable(ref(Repository)),
    commit_url: string({ goName: 'CommitURL', description: 'The API URL of the commit.' }),
    url: string({ goName: 'URL', description: 'The URL of this response.' }),
  },
  { description: 'What all checks together say of a commit.' },
);

/** A new status of a commit. */
export const CreateStatusOption = defineOption(
  'CreateStatusOption',
  {
    state: string({ enum: STATES, description: 'What the check says.' }),
    target_url: string({ maxLength: 8192, description: 'Where more about it is found.' }),
    description: string({ maxLength: 10_000, description: 'A few words about it.' }),
    context: string({ maxLength: 1000, description: 'The name of the check.' }),
  },
  { description: 'What a check says of a commit.' },
);
