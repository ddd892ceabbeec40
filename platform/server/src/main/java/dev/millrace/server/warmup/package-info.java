/**
 * Class warm-up: makes a built-in application after the server has started, so that the classes which the first
 * deployment needs are loaded when it comes.
 *
 * <pre>
 *   server RUNNING ──► WarmUp (thread of its own) ──► trial 1, trial 2, ... ──► closed; only loaded classes stay
 *                         ▲ cancel: not before the next trial
 *                      server stops
 * </pre>
 *
 * <p>Who may call: the activator. Threads: the trials run on {@code millrace-warm-up}; a deployment that comes
 * meanwhile goes on beside them and waits for no more than the initialisation of a class.
 */
package dev.millrace.server.warmup;
