import { raw } from '../http/responses.ts';
import { type AnyRoute, route } from '../http/route.ts';

/** The response that clients of the AGit workflow, such as `git-repo`, request before they push to `refs/for/`. */
export const SSH_INFO = '{"type":"agit","version":1}';

/** The same over HTTP. */
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
