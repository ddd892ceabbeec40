/**
 * The Spring extender: creates a running application from an active bundle with assembly files.
 *
 * <pre>
 *   bundle ACTIVE ─► read XML ─► services found? ─► refresh ─► assemble ─► network runs ─► services exported
 *                                    │ no                                       │ service or namespace bundle stops
 *                                    ▼                                          ▼
 *                                 WAITING ◄──────────────── context closed ◄────┘
 * </pre>
 *
 * <p>The model is that of Spring DM: files in {@code META-INF/spring} or listed in {@code Spring-Context}, {@code
 * osgi:reference}, {@code osgi:list}, {@code osgi:set} and {@code osgi:service}, and the context published as a
 * service. Unlike in Spring DM, a service object is injected directly, without a proxy; when the service is
 * unregistered, the context is created again.
 *
 * <p>Callers: the deployer reads states; a bundle tracker detects bundles. Threads: each application has one dedicated
 * thread that reads, refreshes and closes its context; several applications start in parallel. The unregistration of a
 * service or the stop of a bundle waits until the context is closed.
 */
package dev.millrace.server.extender;
