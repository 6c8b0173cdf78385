// The parts of undici that are used, as a module of its own: it is loaded late, when a request is near.
export { Agent, buildConnector, EnvHttpProxyAgent, Pool, request } from 'undici';
