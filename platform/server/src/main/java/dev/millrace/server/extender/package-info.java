/**
 * The Spring extender: an active bundle with assembly files becomes a running application.
 *
 * <pre>
 *   bundle ACTIVE ─► read XML ─► services there? ─► refresh ─► assemble ─► network runs ─► services exported
 *                                    │ no                                       │ service or namespace bundle goes
 *                                    ▼                                          ▼
 *                                 WAITING ◄──────────────── context closed ◄────┘
 * </pre>
 *
 * <p>The model is Spring DM's: files in {@code META-INF/spring} or named by {@code Spring-Context}, {@code
 * osgi:reference}, {@code osgi:list}, {@code osgi:set} and {@code osgi:service}, the context published as a service.
 * Unlike there a service object is injected itself, without a proxy; so when it goes the context is rebuilt.
 *
 * <p>Who may call: the deployer asks for states; bundles come by themselves. Threads: each application has one thread
 * of its own, which reads, refreshes and closes its context; several applications start side by side. A bundle that
 * stops, or a service that goes, waits until the context is closed.
 */
package dev.millrace.server.extender;
