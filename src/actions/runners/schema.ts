import { array, boolean, define, defineOption, int64, ref, string } from '../../http/schema.ts';

/** A label of a runner. */
export const ActionRunnerLabel = define('ActionRunnerLabel', {
  id: int64({ description: 'Its place in the list, from 0.' }),
  name: string({ description: 'The label.' }),
  type: string({ description: 'Always `custom`.' }),
});

/** A runner. */
export const ActionRunner = define('ActionRunner', {
  id: int64({ description: 'The id of the runner.' }),
  name: string({ description: 'What it calls itself.' }),
  status: string({ description: '`online` or `offline`.' }),
  busy: boolean({ description: 'Whether it works on a job.' }),
  disabled: boolean({ description: 'Whether it gets no jobs.' }),
  ephemeral: boolean({ description: 'Whether it gets one job only.' }),
  labels: array(ref(ActionRunnerLabel), { description: 'The jobs that it takes have no other labels than these.' }),
});

/** A page of runners. */
export const ActionRunnersResponse = define('ActionRunnersResponse', {
  runners: array(ref(ActionRunner), { goName: 'Entries', description: 'The runners.' }),
  total_count: int64({ description: 'How many there are on all pages.' }),
});

/** The changes of a runner. */
export const EditActionRunnerOption = defineOption(
  'EditActionRunnerOption',
  { disabled: boolean({ description: 'Whether it gets no jobs.' }) },
  { described: ['disabled'], description: 'A runner as it is to be.' },
);

/** A token for the registration of runners. */
export const RegistrationToken = define('RegistrationToken', { token: string({ description: 'The token.' }) });
