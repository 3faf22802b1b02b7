import { absoluteUrl, integer, optional, text } from '../kinds.ts';
import { group, setting } from '../setting.ts';

export const tracing = group('Tracing', 'Traces of requests and jobs, for a collector of OpenTelemetry.', {
  endpoint: setting(
    optional(absoluteUrl('http', 'https')),
    '',
    'Where traces are sent by OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`; without it there are none.',
  ),
  headers: setting(optional(text({ maxLength: 4000 })), '', 'Headers that the collector requires: `name=value`, separated by commas.', {
    secret: true,
  }),
  sampled: setting(
    integer(0, 100),
    '10',
    'Percentage of the traces that are sent; decisions of a trusted proxy about its own traces are respected.',
  ),
  serviceName: setting(text({ maxLength: 100 }), 'copse', 'Name of the service in the traces.'),
});
