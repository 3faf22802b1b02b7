import { defineOption, int64, string } from '../../http/schema.ts';

/** Names an issue of any repository. */
export const IssueMeta = defineOption('IssueMeta', {
  index: int64({ description: 'The number in the repository.' }),
  owner: string({ description: 'The name of the owner.' }),
  repo: string({ goName: 'Name', description: 'The name of the repository.' }),
});
