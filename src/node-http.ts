/**
 * Node's `http`. An `import` of it would read all that it exports, also WebSocket, for which Node loads its `fetch`: 4 MB of memory, and 3 % of
 * a start.
 */
export const http = process.getBuiltinModule('node:http');
