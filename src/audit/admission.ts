import type { Loaded } from '../access/load.ts';
import type { Admission } from '../http/server/admission.ts';
import { RecordedAct } from './act.ts';
import { ACTS } from './acts.ts';

/** The admission with acts: requests of routes that the audit log records carry theirs, which is written with the change. */
export function withActs(admission: Admission): Admission {
  return (services, route) => {
    const admit = admission(services, route);
    const declaration = ACTS[route.id];
    if (!declaration) return admit;
    return async (request) => {
      const { context, input } = await admit(request);
      const { actor, signIn, address } = context;
      const origin = { actor, signIn, address, userAgent: request.headers['user-agent'] ?? '', requestId: request.id };
      return { context: { ...context, act: new RecordedAct(declaration, origin, input as Loaded, route.path) }, input };
    };
  };
}
