import type { IncomingHttpHeaders } from 'node:http';
import type { Context, Services } from '../../context.ts';
import type { AnyRoute, RequirementInput } from '../route.ts';

/** The parts of a request that decide about access to its route. */
export interface AdmissionRequest {
  readonly id: string;
  readonly method: string;
  /** Path and query as the client wrote them. */
  readonly target: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** The client's IP address. */
  readonly ip: string;
  /** The IP address of the connection: the client's, or a proxy's. */
  readonly peer: string;
  readonly params: Record<string, string>;
}

/** The caller, and the loaded resources of the path. */
export interface Admitted {
  readonly context: Context;
  readonly input: RequirementInput;
}

/** Admits a request to the handler of its route, or refuses it by throwing. */
export type Admit = (request: AdmissionRequest) => Promise<Admitted>;

/** Makes the admission check of a route; `access/admission.ts`, which the server passes to `buildApp`. */
export type Admission = (services: Services, route: AnyRoute) => Admit;
