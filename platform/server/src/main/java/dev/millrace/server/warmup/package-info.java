/**
 * Class warm-up: creates a built-in application after the server has started, so that the classes that the first
 * deployment needs are already loaded.
 *
 * <pre>
 *   server RUNNING ──► WarmUp (dedicated thread) ──► trial 1, trial 2, ... ──► closed; only loaded classes remain
 *                         ▲ cancel: before the next trial
 *                      server stops
 * </pre>
 *
 * <p>Callers: the activator. Threads: the trials run on {@code millrace-warm-up}. A deployment during the warm-up runs
 * in parallel and waits at most for the initialization of a class.
 */
package dev.millrace.server.warmup;
