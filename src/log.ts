import { type Bindings, type DestinationStream, destination, type Logger, pino } from 'pino';
import { loggableUrl, withoutSecretFields, withoutSecretsInText } from './log/redaction.ts';
import { formatText } from './log/text-format.ts';
import type { Settings } from './settings.ts';

export type { Logger } from 'pino';
export { loggablePath, loggableUrl } from './log/redaction.ts';

/** How deep the causes of an error are followed. */
const MAX_CAUSES = 5;

/**
 * The log: one JSON object in each line with `level` (a word), `time` (ISO 8601), `msg` and the fields given; errors stand
 * under `err`, the id of a request under `requestId` in the child logger that serves it. Whatever is logged, secret fields,
 * credentials in addresses, query tokens and `Authorization` values are taken out.
 * @param output where the lines go; standard output when absent
 */
export function createLogger(settings: Settings['log'], output: DestinationStream = destination({ dest: 1, sync: true })): Logger {
  const log = pino(
    {
      level: settings.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      errorKey: 'err',
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecretFields(fields) as Record<string, unknown>,
      },
      serializers: { err: errorFields, req: requestFields, res: responseFields },
    },
    {
      write(line: string) {
        const safe = withoutSecretsInText(line);
        output.write(settings.format === 'text' ? formatText(safe) : safe);
      },
    },
  );
  // pino's formatters do not see the fields of child loggers; every child inherits this method.
  const { child } = log;
  log.child = function (this: Logger, fields: Bindings, ...rest: unknown[]) {
    return Reflect.apply(child, this, [withoutSecretFields(fields), ...rest]);
  } as typeof child;
  return log;
}

/** The logged properties of an error, without further ones of its own: they may hold a whole request. */
function errorFields(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return withoutSecretFields(error);
  const { name, message, stack } = error;
  return {
    type: name,
    message,
    stack,
    ...('code' in error && { code: error.code }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: errorFields(error.cause, depth + 1) }),
  };
}

function requestFields(request: unknown): unknown {
  if (typeof request !== 'object' || request === null) return request;
  const { method, url, ip } = request as { method?: unknown; url?: unknown; ip?: unknown };
  return { method, url: loggableUrl(String(url)), address: ip };
}

function responseFields(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response;
  return { status: (response as { statusCode?: unknown }).statusCode };
}
