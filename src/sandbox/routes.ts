import { changeIntegration } from './endpoints/change-integration.ts';
import { changeOptions } from './endpoints/change-options.ts';
import { linkedErrors, listErrors, readError } from './endpoints/integration-errors.ts';
import {
  BY_INTEGRATION,
  LIST_QUERY,
  linkedOptions,
  linkedOptionsQuery,
  listIntegrations,
  readIntegration,
} from './endpoints/integrations.ts';
import { login, logout, refresh } from './endpoints/login.ts';
import type { Answer, Call, Service } from './service.ts';
import type { SandboxSettings } from './settings.ts';

/** An address of the service: who may call it, what it accepts, and what answers it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** `public`: everyone; `token`: every logged-in user; `reader`: users who may read; `manager`: users who may change. */
  readonly access: 'public' | 'token' | 'reader' | 'manager';
  /** The query parameters that it accepts. */
  readonly query?: (settings: SandboxSettings) => readonly string[];
  /** True where the request has a JSON body. */
  readonly body?: true;
  readonly run: (service: Service, call: Call) => Answer | Promise<Answer>;
}

/** The endpoints of section 4 in their order, then the addresses that links lead to. The first matching path wins. */
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/api/users/login', access: 'public', body: true, run: login },
  { method: 'GET', path: '/api/users/refresh', access: 'token', run: refresh },
  { method: 'POST', path: '/api/users/logout', access: 'token', run: logout },
  {
    method: 'GET',
    path: '/api/integrations',
    access: 'reader',
    query: () => LIST_QUERY,
    run: listIntegrations,
  },
  { method: 'GET', path: '/api/integrations/errors', access: 'manager', run: listErrors },
  { method: 'GET', path: '/api/integrations/:id', access: 'reader', run: readIntegration },
  { method: 'PATCH', path: '/api/integration-options', access: 'manager', body: true, run: changeOptions },
  { method: 'PATCH', path: '/api/integrations/:id', access: 'manager', body: true, run: changeIntegration },
  {
    method: 'GET',
    path: '/api/integration-options',
    access: 'reader',
    query: linkedOptionsQuery,
    run: linkedOptions,
  },
  {
    method: 'GET',
    path: '/api/integration-errors',
    access: 'manager',
    query: () => [BY_INTEGRATION],
    run: linkedErrors,
  },
  { method: 'GET', path: '/api/integration/:id/errors/:errorId', access: 'manager', run: readError },
];
