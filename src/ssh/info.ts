import { raw } from '../http/responses.ts';
import { type AnyRoute, route } from '../http/route.ts';

/** What clients of the AGit workflow, such as `git-repo`, ask for before they push to `refs/for/`. */
export const SSH_INFO = '{"type":"agit","version":1}';

export const infoRoutes: readonly AnyRoute[] = [
  route({
    method: 'GET',
    path: '//ssh_info',
    id: 'sshInfo',
    summary: 'Says that a push can create a pull request',
    hidden: true,
    open: true,
    responses: { 200: null },
    handle: async () => raw(SSH_INFO, 'text/json;charset=UTF-8'),
  }),
];
