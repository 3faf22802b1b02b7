import { defineOption, string } from '../../http/schema.ts';

/** The options of a new fork. */
export const CreateForkOption = defineOption(
  'CreateForkOption',
  {
    organization: string({ description: 'the organization that is to own it; the caller when left out' }),
    name: string({ description: 'that of the source when left out' }),
  },
  { description: 'A fork to make.' },
);
