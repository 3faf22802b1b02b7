import type { AnyRoute } from '../../http/route.ts';
import { auditPages } from './audit.ts';
import { listPages } from './lists.ts';
import { monitorPages } from './monitor.ts';
import { overviewPages } from './overview.ts';
import { userPages } from './users.ts';

/** The administration of the instance. */
export const adminPages: readonly AnyRoute[] = [...overviewPages, ...userPages, ...listPages, ...monitorPages, ...auditPages];
