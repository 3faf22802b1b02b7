import type { PackageUpstreamRow } from '../../database/tables/package-upstreams.ts';
import type { HttpResponse } from '../../http/responses.ts';
import type { PackageCall } from '../protocol/format.ts';
import { upstreamFor } from './choose.ts';
import type { UpstreamType } from './names.ts';

/** Serves a request from an upstream. */
export type RemoteHandler = (call: PackageCall, upstream: PackageUpstreamRow) => Promise<HttpResponse>;
type Handler = (call: PackageCall) => Promise<HttpResponse>;

/**
 * A handler of a format that reads names which are not the owner's from an upstream. The owner's packages and those of upstreams are never
 * merged: a name belongs to one or the other.
 * @param nameOf the name of the package that a request is for; undefined for an invalid one
 */
export function throughUpstream(
  type: UpstreamType,
  nameOf: (call: PackageCall) => string | undefined,
  own: Handler,
  remote: RemoteHandler,
): Handler {
  return async (call) => {
    const { context, owner } = call;
    if (context.settings.packages.upstreams === 'off') return await own(call);
    const name = nameOf(call);
    const upstream = name === undefined ? undefined : await upstreamFor(context, { ownerId: owner.id, type, name });
    return await (upstream ? remote(call, upstream) : own(call));
  };
}
