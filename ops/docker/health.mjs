// The health check of the container: whether this process takes requests.
const response = await fetch(`http://127.0.0.1:${process.env.COPSE_PORT}/api/readyz`, { signal: AbortSignal.timeout(4000) });
if (!response.ok) throw new Error(`readyz: ${response.status}`);
