import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';

/** Seconds: the maximum duration of a task, and an hour more to upload its files. */
const LIFETIME = 4 * 3600;
const PURPOSE = 'runtime token of automation';

/** The claims of a runtime token. */
export interface RuntimeGrant {
  readonly taskId: number;
  readonly runId: number;
  readonly jobId: number;
}

/** The token for steps of a job to call the artifact and cache services. Their clients read the run and the job from `scp`. */
export async function createRuntimeToken({ secrets }: Pick<Context, 'secrets'>, { taskId, runId, jobId }: RuntimeGrant): Promise<string> {
  const { SignJWT } = await import('jose');
  const time = now();
  const claims = {
    scp: `Actions.Results:${runId}:${jobId}`,
    TaskID: taskId,
    RunID: runId,
    JobID: jobId,
    ac: JSON.stringify([{ Scope: '', Permission: 2 }]),
  };
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setNotBefore(time)
    .setExpirationTime(time + LIFETIME)
    .sign(secrets.hmac(PURPOSE));
}

/** The claims of a runtime token; undefined for an invalid or expired one. The task may have ended since. */
export async function readRuntimeToken({ secrets }: Pick<Context, 'secrets'>, token: string): Promise<RuntimeGrant | undefined> {
  const { jwtVerify } = await import('jose');
  try {
    const { payload } = await jwtVerify(token, secrets.hmac(PURPOSE), { algorithms: ['HS256'], currentDate: new Date(now() * 1000) });
    const { TaskID: taskId, RunID: runId, JobID: jobId } = payload;
    if (typeof taskId !== 'number' || typeof runId !== 'number' || typeof jobId !== 'number') return undefined;
    return { taskId, runId, jobId };
  } catch {
    return undefined;
  }
}
