import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { BusboyConfig, BusboyInstance } from '@fastify/busboy';
import type { Context } from '../../context.ts';
import { HttpError, unprocessable } from '../errors.ts';

const require = createRequire(import.meta.url);

const MAX_FIELDS = 200;

/**
 * Reads the text fields of a multipart form; files in it are skipped.
 * @param limit bytes of one field
 * @throws HttpError 422 for a form that cannot be read, 413 for one that is too large
 */
export function readForm(request: IncomingMessage, { settings }: Context, limit: number): Promise<Record<string, string[]>> {
  const fields: Record<string, string[]> = Object.create(null);
  return new Promise((resolve, reject) => {
    const form = openForm(request, { fieldSize: limit, fields: MAX_FIELDS, files: settings.limits.uploadsPerRequest });
    let size = 0;
    form.on('file', (_name, stream) => stream.resume());
    form.on('field', (name, value, _nameTruncated, valueTruncated) => {
      size += value.length;
      if (valueTruncated || size > limit) reject(new HttpError(413, 'request body is too large'));
      fields[name] ??= [];
      fields[name].push(value);
    });
    form.on('finish', () => resolve(fields));
    form.on('error', (error: unknown) => reject(unprocessable(`[]: ${String(error)}`)));
    request.on('error', reject).pipe(form);
  });
}

/**
 * A parser of multipart forms. It also emits `error` for a form that ends within a file.
 * @param options.isPartAFile which parts are files, if not just those with a file name
 * @throws HttpError 422 when the content type names no boundary
 */
export function openForm(
  request: Pick<IncomingMessage, 'headers'>,
  limits: BusboyConfig['limits'],
  options: Pick<BusboyConfig, 'isPartAFile'> = {},
): BusboyInstance {
  try {
    const { Busboy } = require('@fastify/busboy') as typeof import('@fastify/busboy');
    const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' };
    const form = new Busboy({ ...options, headers, limits: limits ?? {} });
    // Only the file's stream would report that, and an error without a listener ends the process.
    form.on('file', (_name, stream) => stream.on('error', (error) => form.emit('error', error)));
    return form;
  } catch (error) {
    throw unprocessable(`[]: ${(error as Error).message}`);
  }
}
