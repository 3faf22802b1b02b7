import { any, array, defineOption } from '../../http/schema.ts';

/** Labels for an issue. */
export const IssueLabelsOption = defineOption('IssueLabelsOption', {
  labels: array(any(), { description: 'Ids, or names; not both.' }),
});
