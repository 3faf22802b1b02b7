import type { IncomingHttpHeaders } from 'node:http';
import type { Context, Services } from '../context.ts';
import type { AnyRoute, RequirementInput } from './route.ts';

/** A request, as far as access to its route is decided by it. */
export interface AdmissionRequest {
  readonly id: string;
  readonly method: string;
  /** Path and query as the client wrote them. */
  readonly target: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The client's address. */
  readonly ip: string;
  /** The address of the connection: the client's, or a proxy's. */
  readonly peer: string;
  readonly params: Record<string, string>;
}

/** The caller, and what the path names. */
export interface Admitted {
  readonly context: Context;
  readonly input: RequirementInput;
}

/** Lets a request in to the handler of its route, or refuses it by throwing. */
export type Admit = (request: AdmissionRequest) => Promise<Admitted>;

/** How the requests of a route are let in; `access/admission.ts`, which the server hands to `buildApp`. */
export type Admission = (services: Services, route: AnyRoute) => Admit;
