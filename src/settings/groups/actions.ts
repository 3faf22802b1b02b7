import { boolean, choice, duration, integer, list, optional, path, size, text } from '../kinds.ts';
import { group, setting } from '../setting.ts';

const folder = () => text({ pattern: /^[\w.-]+(\/[\w.-]+)*$/, name: 'a folder of a repository', maxLength: 200 });

export const actions = group('Automation', 'Workflows, their runs and their jobs.', {
  enabled: setting(boolean(), 'true', 'Start workflows. A repository also needs the unit.'),
  workflowFolders: setting(
    list(folder(), { minItems: 1 }),
    '.gitea/workflows, .github/workflows',
    'Folders of workflow files; the first one that a commit has counts.',
  ),
  skipWords: setting(
    list(text({ maxLength: 100 })),
    '[skip ci], [ci skip], [no ci], [skip actions], [actions skip]',
    'Words in a commit message or the title of a pull request that prevent workflows from starting.',
  ),
  defaultActionsUrl: setting(
    choice('github', 'self'),
    'github',
    'Where runners find actions that are named without a host: github.com, or this instance.',
  ),
  lostTaskTimeout: setting(duration({ min: '1m' }), '10m', 'Stop jobs whose runner has not reported for this time.'),
  longTaskTimeout: setting(duration({ min: '1m' }), '3h', 'Stop jobs that run for this time.'),
  logRetention: setting(integer(1, 36500), '365', 'Days for which logs of jobs are stored.'),
  artifactRetention: setting(integer(1, 36500), '90', 'Days for which artifacts are stored, unless their job sets a time.'),
  artifactMaxSize: setting(size({ min: 1, max: 2 ** 43 }), '10GiB', 'Largest artifact.'),
  waitingTimeout: setting(duration({ min: '1m' }), '24h', 'How long a job waits for a runner before it is cancelled.'),
  runner: setting(
    choice('off', 'host'),
    'off',
    'Run jobs beside the server, on this machine: users who may push workflows can do here what the user of the runner can. See docs/actions.md.',
  ),
  runnerUser: setting(
    optional(text({ pattern: /^[A-Za-z_][\w.-]*$/, name: 'the name of a user', maxLength: 100 })),
    '',
    'The user that jobs run as; needs a server that runs as root. Without one they run as the user of the server, unless that is root.',
  ),
  runnerDir: setting(
    path(),
    {
      from: 'the data folder: `runner` in it, or beside it with `-runner` after its name where `runnerUser` is set',
      value: (get) => `${get('server.dataDir')}${get('actions.runnerUser') === null ? '/' : '-'}runner`,
    },
    'Its folder for jobs, actions and caches. Its user needs access to the parent folders.',
  ),
  runnerLabels: setting(
    text({ pattern: /^[\w.-]+:host(\s*,\s*[\w.-]+:host)*$/, name: 'labels such as linux:host, ubuntu-latest:host' }),
    'linux:host, ubuntu-latest:host',
    'Labels for `runs-on` of its jobs.',
  ),
  runnerCapacity: setting(integer(1, 100), '1', 'How many jobs it runs at once.'),
});
