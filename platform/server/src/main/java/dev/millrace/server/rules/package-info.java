/**
 * Changes of the rules of a running application: what users ask for, turned into complete lists of rules.
 *
 * <p>Who may call: the management of the server. Threads: any; nothing here keeps state.
 */
package dev.millrace.server.rules;
