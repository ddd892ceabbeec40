/**
 * Changes of the rules of a running application: converts users' changes to complete lists of rules.
 *
 * <p>Callers: the management of the server. Threads: any; nothing here has state.
 */
package dev.millrace.server.rules;
