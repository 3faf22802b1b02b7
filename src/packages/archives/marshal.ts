/** Ruby's own format of objects, in which RubyGems has its indexes. */
export { dump as dumpMarshal, RubyClass, RubyObject } from '@hyrious/marshal';
