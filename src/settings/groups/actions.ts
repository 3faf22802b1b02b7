import { boolean, choice, list, text } from '../kinds.ts';
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
});
