import { absoluteUrl, integer, optional, text } from '../kinds.ts';
import { group, setting } from '../setting.ts';

export const tracing = group('Tracing', 'Traces of what requests and jobs do, for a collector of OpenTelemetry.', {
  endpoint: setting(
    optional(absoluteUrl('http', 'https')),
    '',
    'Where traces are sent by OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces`; without it there are none.',
  ),
  headers: setting(optional(text({ maxLength: 4000 })), '', 'Headers that the collector asks for: `name=value`, separated by commas.', {
    secret: true,
  }),
  sampled: setting(integer(0, 100), '10', 'Percent of the traces that are sent; what a trusted proxy has decided for its own is kept.'),
  serviceName: setting(text({ maxLength: 100 }), 'copse', 'Name of the service in the traces.'),
});
