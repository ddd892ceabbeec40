/**
 * Component configuration files: the rules of processors and the settings of channels and caches.
 *
 * <p>Callers: the entry points of {@code dev.millrace.assembly}. Not exported. Threads: a single thread reads the files
 * of
 * an application; the results are not changed afterwards.
 */
package dev.millrace.assembly.config;
