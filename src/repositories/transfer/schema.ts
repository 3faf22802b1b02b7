import { User } from '../../accounts/users/schema.ts';
import { array, define, defineOption, int64, nullable, ref, string } from '../../http/schema.ts';
import { Team } from '../../organizations/teams/schema.ts';

export const RepoTransfer = define(
  'RepoTransfer',
  {
    doer: nullable(ref(User, { description: 'the user who started it' })),
    recipient: nullable(ref(User, { description: 'the user or organization that is to own it' })),
    teams: array(ref(Team), { description: 'the teams that are to have it' }),
  },
  { description: 'A transfer to another owner that waits for an answer.' },
);

export const TransferRepoOption = defineOption(
  'TransferRepoOption',
  {
    new_owner: string({ description: 'a user or an organization' }),
    team_ids: array(int64(), { description: 'teams of the organization that get the repository', goName: 'TeamIDs' }),
  },
  { described: ['new_owner'], description: 'To whom a repository is to go.' },
);
