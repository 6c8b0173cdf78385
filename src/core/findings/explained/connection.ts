import type { Codes } from './codes.ts';
import { inShell, PLAN, withEntries, withServers } from './example.ts';

/** An address where no server is. */
const NOWHERE = 'http://127.0.0.1:1';

const PROJECT = withServers({ staging: 'http://localhost:4010' });

/** What goes wrong before a server takes a login. */
export const LOGIN = {
  'no-credentials': inShell(
    'setpoint logs in by what the environment holds and takes no secret as a flag, since others can see flags. No variable of a login is set, or a pipeline does not pass it on to this step.',
    { commands: ['unset SETPOINT_USERNAME SETPOINT_PASSWORD', PLAN] },
    { commands: ['export SETPOINT_USERNAME=manager SETPOINT_PASSWORD=manager', PLAN] },
  ),
  'half-credentials': inShell(
    'A name is set without its password, or the other way round. setpoint does not complete it from the variables of another server: it would log in as somebody whom you did not mean.',
    { commands: ['unset SETPOINT_PASSWORD', 'export SETPOINT_USERNAME=manager', PLAN] },
    { commands: ['export SETPOINT_USERNAME=manager SETPOINT_PASSWORD=manager', PLAN] },
  ),
  'bad-url': inShell(
    'The address of a server has to be a whole https URL, without an account in it. Plain http is taken for this machine alone, because credentials would cross the network in clear.',
    { commands: ['setpoint plan integrations.yaml --url integrations.example.com'] },
    { commands: [PLAN] },
  ),
  'likely-page': inShell(
    'The URL was likely copied from a browser and names a page. setpoint adds the paths of the API itself, so requests would go to the wrong place.',
    { commands: [`${PLAN}/login`] },
    { commands: [PLAN] },
  ),
  'origin-not-allowed': inShell(
    'In a pipeline the YAML comes from a branch that others can change, also the URL of a server. Credentials therefore go only to servers that the pipeline itself names.',
    { files: { 'setpoint.yaml': PROJECT }, commands: ['export CI=true', 'setpoint plan'] },
    {
      files: { 'setpoint.yaml': PROJECT },
      commands: ['export CI=true SETPOINT_ALLOWED_ORIGINS=http://localhost:4010', 'setpoint plan'],
    },
  ),
  'bad-allowed-origin': inShell(
    'The list says where credentials may go, so each item is one server, in full. A wildcard or a path would allow more than it seems to.',
    {
      files: { 'setpoint.yaml': PROJECT },
      commands: ["export SETPOINT_ALLOWED_ORIGINS='https://*.example.com'", 'setpoint plan'],
    },
    {
      files: { 'setpoint.yaml': PROJECT },
      commands: ['export SETPOINT_ALLOWED_ORIGINS=http://localhost:4010', 'setpoint plan'],
    },
  ),
  'login-failed': inShell(
    'The server does not know the name and password, or does not let this account in. A refused login is not tried again, so that no account is locked.',
    { commands: ['export SETPOINT_USERNAME=manager SETPOINT_PASSWORD=mistyped', PLAN] },
    { commands: ['export SETPOINT_USERNAME=manager SETPOINT_PASSWORD=manager', PLAN] },
  ),
  'token-refused': inShell(
    'The token or API key is mistyped, has expired, or was withdrawn. setpoint uses a given token as it is and cannot renew it.',
    { commands: ['unset SETPOINT_USERNAME SETPOINT_PASSWORD', 'export SETPOINT_TOKEN=expired', PLAN] },
    { commands: ['export SETPOINT_USERNAME=manager SETPOINT_PASSWORD=manager', PLAN] },
  ),
  'not-permitted': inShell(
    'The login worked, but its role may not read or change this. Users may not read integrations on every server; integration managers may change only those of their scope.',
    {
      commands: [
        'setpoint sandbox --set readers=managers &',
        'export SETPOINT_USERNAME=user SETPOINT_PASSWORD=user',
        PLAN,
      ],
    },
    {
      commands: [
        'setpoint sandbox --set readers=managers &',
        'export SETPOINT_USERNAME=manager SETPOINT_PASSWORD=manager',
        PLAN,
      ],
    },
  ),
} satisfies Codes;

/** What goes wrong between here and a server. */
export const CONNECTION = {
  unreachable: inShell(
    'No connection could be made, or it broke each time. The server may be down, the name or port wrong, or a firewall, proxy or certificate in the way: the reason is in the finding. Nothing is known of the server, so nothing is planned.',
    { commands: [`setpoint plan integrations.yaml --url ${NOWHERE}`] },
    { commands: [PLAN] },
  ),
  'not-verified': inShell(
    '--insecure takes any certificate, also that of somebody between you and the server. setpoint says so in each run, because such flags stay in scripts.',
    {
      situation: 'The server has a certificate of your own authority.',
      commands: ['setpoint plan integrations.yaml --url https://localhost:4010 --insecure'],
    },
    {
      situation: 'The server has a certificate of your own authority.',
      commands: ['setpoint plan integrations.yaml --url https://localhost:4010 --ca-file authority.pem'],
    },
  ),
  timeout: inShell(
    'The server accepted the request, but did not answer in time, not even when it was asked again. It may be busy, or a proxy holds the answer back. A change that was under way is read before it is called applied or not.',
    { situation: 'The server takes a second for each list.', commands: [`${PLAN} --timeout 0.2`] },
    { commands: [`${PLAN} --timeout 60`] },
  ),
  'run-deadline': inShell(
    'The whole run took longer than it may, so that no pipeline hangs for ever. Nothing new was started after it. Pass a longer --deadline SECONDS, or find out what is slow with --verbose; run again to finish.',
    { situation: 'The server takes a second for each list.', commands: [`${PLAN} --deadline 0.2`] },
    { commands: [`${PLAN} --deadline 3600`] },
  ),
  'asked-to-wait': inShell(
    'The server answered 429: too many requests, and asks for a longer pause than a minute. setpoint obeys exactly and ends rather than wait that long. What was applied before stays applied.',
    { situation: 'The server asks for a wait of five minutes.' },
    { commands: [`${PLAN} --concurrency 2`] },
  ),
  redirected: inShell(
    'The server answers from another address. Credentials and changes would follow a redirect wherever it leads, so setpoint follows none. It often leads from http to https, or to a page of a login.',
    { situation: 'The server has moved and answers 301.' },
    {},
  ),
  'http-status': inShell(
    'The server answered with an error that is neither about the login nor about a right. What it said stands in the finding. If it persists, its log tells more: an answer of 500 and above is a fault on its side.',
    { situation: 'The server answers 500 to each list.' },
    {},
  ),
  'bad-media-type': inShell(
    'Something answered, but not the API: mostly a page of a proxy, a login or an error. setpoint reads nothing out of it.',
    { situation: 'A proxy answers with its own page.' },
    {},
  ),
  'bad-answer': inShell(
    'The answer is cut off or has another form than the API document says. A plan from half of an answer could be wrong, so there is none. Try again; if it stays, compare the version of the server.',
    { situation: 'A proxy cuts answers off.' },
    {},
  ),
  'unsafe-id': inShell(
    'The id of an integration would change the path of a request: it is empty, has a slash, or is .. by itself. Reading or writing it could reach something else.',
    {
      situation: 'The server lists an integration named Odd under the id a/b.',
      yaml: withEntries('odd: { match: { name: Odd }, autosubscribe: true }'),
    },
    { yaml: withEntries('lookup: { match: { name: Threat Lookup }, autosubscribe: true }') },
  ),
  'answer-too-large': inShell(
    'An answer goes on beyond any real size. setpoint stops reading rather than fill the memory. A server with very many integrations should send them in pages.',
    { situation: 'The list of integrations never ends.' },
    {},
  ),
  'incomplete-read': inShell(
    'The pages of a list do not add up: one is missing or comes twice, or the total changes while it is read. An integration that was not read would look as if it were not installed.',
    { situation: 'The server lists nothing, and tells no total.' },
    {},
  ),
  'document-missing': {
    ...inShell(
      'A gate that uses the library of setpoint gives it the answers of a server, and one is not among them. The plan would be made from an incomplete read.',
      { situation: 'The gate gives the list of integrations, but not the options it lacks.' },
      { situation: 'The gate gives the answer to the path in the hint as well.' },
    ),
    unproven: 'No command leads to it: only gates that use the library do.',
  },
} satisfies Codes;
