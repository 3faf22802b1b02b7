import { readBody } from '../../http/bodies/body.ts';
import { HttpResponse } from '../../http/responses.ts';
import type { RequestParts } from '../../http/route.ts';
import { ArtifactError } from './errors.ts';

const MAX_MESSAGE = 64 * 1024;

/** The fields of a message, by their names in lower camel case. */
export interface Message {
  /** A text; empty where there is none. */
  text(name: string): string;
  /** A whole number from 0 on, which may be written as a text; undefined where there is none. */
  number(name: string): number | undefined;
  /** A time in seconds since 1970; undefined where there is none. */
  time(name: string): number | undefined;
}

/**
 * Reads a message in the JSON of protocol buffers, whose fields have either of their names: https://protobuf.dev/programming-guides/json/
 * @throws ArtifactError 400
 */
export async function readMessage({ raw }: RequestParts): Promise<Message> {
  const fields = parse(await readBody(raw, MAX_MESSAGE));
  const field = (name: string): unknown => fields[name] ?? fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
  const refuse = (name: string): never => {
    throw new ArtifactError(400, `Error decode request body: ${name}`);
  };
  const text = (name: string): string => {
    const value = field(name) ?? '';
    return typeof value === 'string' && !value.includes('\0') ? value : refuse(name);
  };
  return {
    text,
    number: (name) => {
      const value = field(name);
      if (value === undefined || value === null) return undefined;
      const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
      return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : refuse(name);
    },
    time: (name) => {
      const value = text(name);
      if (value === '') return undefined;
      const milliseconds = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
      return Number.isNaN(milliseconds) ? refuse(name) : Math.floor(milliseconds / 1000);
    },
  };
}

/** A message as a response. */
export function messageResponse(message: object): HttpResponse {
  return new HttpResponse(JSON.stringify(message), { headers: { 'content-type': 'application/json;charset=utf-8' }, raw: true });
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw new ArtifactError(400, 'Error decode request body');
}
