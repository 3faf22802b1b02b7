import { define, defineOption, int64, nullable, oneOf, string, timestamp } from '../../http/schema.ts';

const STATES = ['open', 'closed'] as const;

/** Length limit of a description in characters: lists of issues show that of each milestone. */
export const MAX_DESCRIPTION = 65_535;

/** A goal that issues and pull requests belong to. */
export const Milestone = define('Milestone', {
  id: int64({ description: 'The id of the milestone.' }),
  title: string({ description: 'The title.' }),
  description: string({ description: 'What it is about.' }),
  state: oneOf(STATES, { description: 'Open or closed.' }),
  open_issues: int64({ description: 'How many of its issues and pull requests are open.' }),
  closed_issues: int64({ description: 'How many of its issues and pull requests are closed.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was made.' }),
  updated_at: nullable(timestamp({ goName: 'Updated', description: 'When it was last changed.' })),
  closed_at: nullable(timestamp({ goName: 'Closed', description: 'When it was closed.' })),
  due_on: nullable(timestamp({ goName: 'Deadline', description: 'When it is due.' })),
});

/** The fields of a new milestone. */
export const CreateMilestoneOption = defineOption('CreateMilestoneOption', {
  title: string({ maxLength: 600, description: 'The title.' }),
  description: string({ maxLength: MAX_DESCRIPTION, description: 'What it is about.' }),
  due_on: timestamp({ goName: 'Deadline', description: 'When it is due.' }),
  state: string({ enum: STATES, description: 'Open, unless it says closed.' }),
});

/** The changes of a milestone; missing fields stay, except for the due date, which is removed. */
export const EditMilestoneOption = defineOption('EditMilestoneOption', {
  title: string({ maxLength: 600, description: 'The title.' }),
  description: string({ maxLength: MAX_DESCRIPTION, description: 'What it is about.' }),
  state: string({ enum: STATES, description: 'Open, unless it says closed.' }),
  due_on: timestamp({ goName: 'Deadline', description: 'The due date; it ends with that day.' }),
});
