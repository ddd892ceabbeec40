/**
 * The configuration of an instance: reads {@code config/config.xml} and says no to what it does not understand.
 *
 * <p>Who may call: the activator. Threads: the one that starts the server bundle; records are immutable.
 */
package dev.millrace.server.config;
