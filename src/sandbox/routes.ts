import { changeIntegration } from './endpoints/change-integration.ts';
import { changeOptions } from './endpoints/change-options.ts';
import { linkedErrors, listErrors, readError } from './endpoints/integration-errors.ts';
import {
  BY_INTEGRATION,
  LIST_QUERY,
  linkedOptions,
  listIntegrations,
  readIntegration,
} from './endpoints/integrations.ts';
import { login, logout, refresh } from './endpoints/login.ts';
import type { Answer, Call, Service } from './service.ts';

/** An address of the service. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Who may call it: everyone, users who are logged in, or those who may change integrations. */
  readonly access: 'public' | 'token' | 'manager';
  /** The query parameters that it knows. */
  readonly query?: readonly string[];
  readonly run: (service: Service, call: Call) => Answer | Promise<Answer>;
}

const LINKED = [BY_INTEGRATION];

/** The endpoints of section 4 in their order, then the addresses that links lead to. The first matching path wins. */
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/api/users/login', access: 'public', run: login },
  { method: 'GET', path: '/api/users/refresh', access: 'token', run: refresh },
  { method: 'POST', path: '/api/users/logout', access: 'token', run: logout },
  { method: 'GET', path: '/api/integrations', access: 'token', query: LIST_QUERY, run: listIntegrations },
  { method: 'GET', path: '/api/integrations/errors', access: 'manager', run: listErrors },
  { method: 'GET', path: '/api/integrations/:id', access: 'token', run: readIntegration },
  { method: 'PATCH', path: '/api/integration-options', access: 'manager', run: changeOptions },
  { method: 'PATCH', path: '/api/integrations/:id', access: 'manager', run: changeIntegration },
  { method: 'GET', path: '/api/integration-options', access: 'token', query: LINKED, run: linkedOptions },
  { method: 'GET', path: '/api/integration-errors', access: 'manager', query: LINKED, run: linkedErrors },
  { method: 'GET', path: '/api/integration/:id/errors/:errorId', access: 'manager', run: readError },
];
