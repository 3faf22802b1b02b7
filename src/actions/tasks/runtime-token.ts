import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';

/** Seconds: as long as a task may take, and an hour more to send what it leaves. */
const LIFETIME = 4 * 3600;
const PURPOSE = 'runtime token of automation';

/** What a runtime token is for. */
export interface RuntimeGrant {
  readonly taskId: number;
  readonly runId: number;
  readonly jobId: number;
}

/** The token by which steps of a job call the services of artifacts and caches. Their clients read the run and the job out of `scp`. */
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

/** What a runtime token is for; undefined for one that is not good, or not any more. The task may have ended since. */
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
