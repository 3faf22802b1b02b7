import { boolean, choice, duration, integer, list, text } from '../kinds.ts';
import { group, setting } from '../setting.ts';

const folder = () => text({ pattern: /^[\w.-]+(\/[\w.-]+)*$/, name: 'a folder of a repository', maxLength: 200 });

export const actions = group('Automation', 'Workflows, their runs and their jobs.', {
  enabled: setting(boolean(), 'true', 'Start workflows. A repository has to have the unit as well.'),
  workflowFolders: setting(
    list(folder(), { minItems: 1 }),
    '.gitea/workflows, .github/workflows',
    'Where workflow files are; the first folder that a commit has counts.',
  ),
  defaultActionsUrl: setting(
    choice('github', 'self'),
    'github',
    'Where runners find actions that are named without a host: github.com, or this instance.',
  ),
  lostTaskTimeout: setting(duration({ min: '1m' }), '10m', 'End jobs whose runner has not reported for so long.'),
  longTaskTimeout: setting(duration({ min: '1m' }), '3h', 'End jobs that run for so long.'),
  logRetention: setting(integer(1, 36500), '365', 'Days for which logs of jobs are kept.'),
});
