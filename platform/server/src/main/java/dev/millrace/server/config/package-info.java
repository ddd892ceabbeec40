/**
 * The configuration of an instance: reads {@code config/config.xml} and rejects invalid content.
 *
 * <p>Callers: the activator. Threads: the one that starts the server bundle; records are immutable.
 */
package dev.millrace.server.config;
