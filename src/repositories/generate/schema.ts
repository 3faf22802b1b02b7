import { boolean, defineOption, string } from '../../http/schema.ts';

export const GenerateRepoOption = defineOption(
  'GenerateRepoOption',
  {
    owner: string({ description: 'name of the new owner' }),
    name: string({ maxLength: 100, rule: 'AlphaDashDot' }),
    default_branch: string({ description: 'that of the template when left out' }),
    description: string({ maxLength: 2048 }),
    private: boolean(),
    git_content: boolean({ description: 'take the files of the default branch' }),
    topics: boolean({ description: 'take the topics' }),
    git_hooks: boolean({ description: 'take the Git hooks, where the caller administers the template and may edit Git hooks' }),
    webhooks: boolean({ description: 'take the webhooks, where the caller administers the template' }),
    avatar: boolean({ description: 'take the picture' }),
    labels: boolean({ description: 'take the labels' }),
    protected_branch: boolean({ description: 'take the branch protections' }),
  },
  { required: ['name'], described: ['owner', 'name'], description: 'A repository to make from a template.' },
);
