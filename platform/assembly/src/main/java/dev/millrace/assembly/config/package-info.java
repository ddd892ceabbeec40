/**
 * Component configuration files: the rules of processors and the settings of channels and caches.
 *
 * <p>Who may call: the entry points of {@code dev.millrace.assembly}. Not exported. Threads: one application's files
 * are read by one thread; what was read is not changed afterwards.
 */
package dev.millrace.assembly.config;
